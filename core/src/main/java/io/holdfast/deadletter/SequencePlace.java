package io.holdfast.deadletter;

import java.time.Instant;

/** Where a list of a component's sequences ended, in the order of a time and then of the identifier. */
public record SequencePlace(Instant time, String sequence) {

    public static SequencePlace byTurn(ParkedSequence sequence) {
        return new SequencePlace(sequence.nextAttempt(), sequence.id().sequence());
    }

    public static SequencePlace byAge(ParkedSequence sequence) {
        return new SequencePlace(sequence.since(), sequence.id().sequence());
    }
}
