package io.holdfast.jpa;

import io.holdfast.deadletter.SequenceId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;

/** The primary key of {@code holdfast_sequence}. */
@Embeddable
record SequenceKey(
        @Column(nullable = false) String component,
        @Column(nullable = false, length = SequenceId.MAX_LENGTH) String sequence) {

    static SequenceKey of(SequenceId id) {
        return new SequenceKey(id.component(), id.sequence());
    }

    SequenceId id() {
        return new SequenceId(component, sequence);
    }
}
