package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.worker.MonotonicTime;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The sequences of one segment that one circuit breaker holds. They are probed in turn: after a failed probe, all
 * others go first. Otherwise a poison message would be probed alone until all others have been HELD for too long.
 */
final class HeldByBreaker {

    private static final Comparator<WaitingSequence> BY_HELD_SINCE = Comparator.comparing(WaitingSequence::since)
            .thenComparing(waiting -> waiting.sequence().id().component())
            .thenComparing(waiting -> waiting.sequence().id().sequence());
    private static final Comparator<WaitingSequence> BY_NEXT_ATTEMPT =
            Comparator.comparing(WaitingSequence::due).thenComparing(BY_HELD_SINCE);

    private final NavigableSet<WaitingSequence> byNextAttempt = new TreeSet<>(BY_NEXT_ATTEMPT);
    private final NavigableSet<WaitingSequence> byHeldSince = new TreeSet<>(BY_HELD_SINCE);

    void add(WaitingSequence sequence) {
        byNextAttempt.add(sequence);
        byHeldSince.add(sequence);
    }

    void remove(WaitingSequence sequence) {
        byNextAttempt.remove(sequence);
        byHeldSince.remove(sequence);
    }

    boolean isEmpty() {
        return byNextAttempt.isEmpty();
    }

    /** Returns the sequence to probe next. */
    Optional<ParkedSequence> next(Predicate<ParkedSequence> isFree) {
        return byNextAttempt.stream()
                .map(WaitingSequence::sequence)
                .filter(isFree)
                .findFirst();
    }

    /** Returns since when the longest-held sequence has been HELD. */
    Optional<MonotonicTime> oldestHeldSince(Predicate<ParkedSequence> isFree) {
        return byHeldSince.stream()
                .filter(waiting -> isFree.test(waiting.sequence()))
                .findFirst()
                .map(WaitingSequence::since);
    }

    /** Returns the sequences that have been HELD since this time or longer. */
    Stream<ParkedSequence> heldSince(MonotonicTime time) {
        return byHeldSince.stream()
                .takeWhile(waiting -> !waiting.since().isAfter(time))
                .map(WaitingSequence::sequence);
    }
}
