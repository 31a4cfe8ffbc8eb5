package io.holdfast.processing;

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
 * The sequences of one segment that one breaker holds. They are tried in turn: one that was tried in vain lets all others
 * go first, or an event that can never be handled would be tried alone until all of them have waited too long.
 */
final class HeldSequences {

    private static final Comparator<ParkedSequence> BY_AGE = Comparator.comparing(
                    (ParkedSequence sequence) -> Objects.requireNonNullElse(sequence.heldSince(), Instant.MAX))
            .thenComparing(sequence -> sequence.id().component())
            .thenComparing(sequence -> sequence.id().sequence());
    private static final Comparator<ParkedSequence> BY_TURN =
            Comparator.comparing(ParkedSequence::nextAttempt).thenComparing(BY_AGE);

    private final NavigableSet<ParkedSequence> byNextAttempt = new TreeSet<>(BY_TURN);
    private final NavigableSet<ParkedSequence> byAge = new TreeSet<>(BY_AGE);

    void add(ParkedSequence sequence) {
        byNextAttempt.add(sequence);
        byAge.add(sequence);
    }

    void remove(ParkedSequence sequence) {
        byNextAttempt.remove(sequence);
        byAge.remove(sequence);
    }

    boolean isEmpty() {
        return byNextAttempt.isEmpty();
    }

    /** The one whose turn it is. */
    Optional<ParkedSequence> next(Predicate<ParkedSequence> isFree) {
        return byNextAttempt.stream().filter(isFree).findFirst();
    }

    /** When the one that has waited longest began to. */
    Optional<Instant> oldest(Predicate<ParkedSequence> isFree) {
        return byAge.stream().filter(isFree).findFirst().map(ParkedSequence::heldSince);
    }

    /** Those that have waited since this time or longer. */
    Stream<ParkedSequence> since(Instant time) {
        return byAge.stream().takeWhile(sequence -> !Objects.requireNonNull(sequence.heldSince())
                .isAfter(time));
    }
}
