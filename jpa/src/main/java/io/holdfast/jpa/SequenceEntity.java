package io.holdfast.jpa;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code holdfast_sequence}. Never cached: other replicas write it too. */
@Entity(name = "HoldfastSequence")
@Table(name = "holdfast_sequence")
@Cacheable(false)
class SequenceEntity {

    @EmbeddedId
    private SequenceKey id;

    @Column(nullable = false)
    private String consumer;

    @Column(nullable = false)
    private int hash;

    @Column(name = "first_letter", nullable = false)
    private long first;

    @Column(name = "last_letter", nullable = false)
    private long last;

    @Column(name = "size", nullable = false)
    private int letters;

    /** Stored by name, so that neither the order of the states nor a database enum type matters. */
    @Column(nullable = false, length = 20)
    private String state;

    @Column(nullable = false)
    private int attempts;

    @Column(name = "next_attempt", nullable = false)
    private Instant nextAttempt;

    @Column(nullable = false)
    private Instant since;

    @Column(name = "held_by")
    private @Nullable String heldBy;

    @Column(name = "held_since")
    private @Nullable Instant heldSince;

    private @Nullable String awaits;

    @Column(name = "awaits_since")
    private @Nullable Instant awaitsSince;

    @Column(nullable = false)
    private boolean escalated;

    @Column(name = "cause_group")
    private @Nullable String causeGroup;

    /** Required by JPA. */
    @SuppressWarnings("NullAway.Init")
    protected SequenceEntity() {}

    @SuppressWarnings({"NullAway.Init", "this-escape"})
    SequenceEntity(ParkedSequence sequence) {
        this.id = SequenceKey.of(sequence.id());
        set(sequence);
    }

    /** Sets everything except the identifier. */
    final void set(ParkedSequence sequence) {
        consumer = sequence.consumer();
        hash = sequence.hash();
        first = sequence.first();
        last = sequence.last();
        letters = sequence.size();
        state = sequence.state().name();
        attempts = sequence.attempts();
        nextAttempt = Times.toStoredPrecision(sequence.nextAttempt());
        since = Times.toStoredPrecision(sequence.since());
        heldBy = sequence.heldBy();
        heldSince = Times.toStoredPrecisionOrNull(sequence.heldSince());
        awaits = sequence.awaits();
        awaitsSince = Times.toStoredPrecisionOrNull(sequence.awaitsSince());
        escalated = sequence.escalated();
        causeGroup = sequence.causeGroup();
    }

    SequenceKey id() {
        return id;
    }

    ParkedSequence sequence() {
        return new ParkedSequence(
                id.id(),
                consumer,
                hash,
                first,
                last,
                letters,
                SequenceState.valueOf(state),
                attempts,
                nextAttempt,
                since,
                heldBy,
                heldSince,
                awaits,
                awaitsSince,
                escalated,
                causeGroup);
    }
}
