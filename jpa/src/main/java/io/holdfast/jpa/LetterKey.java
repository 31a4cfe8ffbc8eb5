package io.holdfast.jpa;

import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.SequenceId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;

/** The primary key of {@code holdfast_letter}. */
@Embeddable
record LetterKey(
        @Column(nullable = false) String component,
        @Column(nullable = false, length = SequenceId.MAX_LENGTH) String sequence,
        @Column(nullable = false) long number) {

    static LetterKey of(LetterId id) {
        return new LetterKey(id.sequence().component(), id.sequence().sequence(), id.number());
    }

    SequenceId sequenceId() {
        return new SequenceId(component, sequence);
    }
}
