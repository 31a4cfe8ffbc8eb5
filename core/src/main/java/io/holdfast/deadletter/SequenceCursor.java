package io.holdfast.deadletter;

import java.time.Instant;

/** Where a list of a component's sequences ended, in the order of a time and then of the identifier. */
public record SequenceCursor(Instant time, String sequence) {

    public static SequenceCursor byNextAttempt(ParkedSequence sequence) {
        return new SequenceCursor(sequence.nextAttempt(), sequence.id().sequence());
    }

    public static SequenceCursor byAge(ParkedSequence sequence) {
        return new SequenceCursor(sequence.since(), sequence.id().sequence());
    }
}
