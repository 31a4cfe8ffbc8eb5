package io.holdfast.deadletter;

import java.time.Instant;

/** Position in a page-by-page listing of a component's sequences, ordered by a time and then by identifier. */
public record SequenceCursor(Instant time, String sequence) {

    public static SequenceCursor byNextAttempt(ParkedSequence sequence) {
        return new SequenceCursor(sequence.nextAttempt(), sequence.id().sequence());
    }

    public static SequenceCursor byAge(ParkedSequence sequence) {
        return new SequenceCursor(sequence.since(), sequence.id().sequence());
    }
}
