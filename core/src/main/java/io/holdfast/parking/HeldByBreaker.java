package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import java.time.Instant;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The sequences of one segment that one circuit breaker holds. They are probed in turn: after a failed probe, all
 * others go first. Otherwise a poison message would be probed alone until all others have been HELD for too long.
 */
final class HeldByBreaker {

    private static final Comparator<ParkedSequence> BY_HELD_SINCE = Comparator.comparing(
                    (ParkedSequence sequence) -> Objects.requireNonNullElse(sequence.heldSince(), Instant.MAX))
            .thenComparing(sequence -> sequence.id().component())
            .thenComparing(sequence -> sequence.id().sequence());
    private static final Comparator<ParkedSequence> BY_NEXT_ATTEMPT =
            Comparator.comparing(ParkedSequence::nextAttempt).thenComparing(BY_HELD_SINCE);

    private final NavigableSet<ParkedSequence> byNextAttempt = new TreeSet<>(BY_NEXT_ATTEMPT);
    private final NavigableSet<ParkedSequence> byHeldSince = new TreeSet<>(BY_HELD_SINCE);

    void add(ParkedSequence sequence) {
        byNextAttempt.add(sequence);
        byHeldSince.add(sequence);
    }

    void remove(ParkedSequence sequence) {
        byNextAttempt.remove(sequence);
        byHeldSince.remove(sequence);
    }

    boolean isEmpty() {
        return byNextAttempt.isEmpty();
    }

    /** Returns the sequence to probe next. */
    Optional<ParkedSequence> next(Predicate<ParkedSequence> isFree) {
        return byNextAttempt.stream().filter(isFree).findFirst();
    }

    /** Returns since when the longest-held sequence has been HELD. */
    Optional<Instant> oldestHeldSince(Predicate<ParkedSequence> isFree) {
        return byHeldSince.stream().filter(isFree).findFirst().map(ParkedSequence::heldSince);
    }

    /** Returns the sequences that have been HELD since this time or longer. */
    Stream<ParkedSequence> heldSince(Instant time) {
        return byHeldSince.stream().takeWhile(sequence -> !Objects.requireNonNull(sequence.heldSince())
                .isAfter(time));
    }
}
