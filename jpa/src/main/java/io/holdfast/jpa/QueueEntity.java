package io.holdfast.jpa;

import io.holdfast.deadletter.QueueCounts;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of {@code holdfast_queue}. Never cached: other replicas write it too. */
@Entity(name = "HoldfastQueue")
@Table(name = "holdfast_queue")
@Cacheable(false)
class QueueEntity {

    @Id
    private String component;

    @Column(nullable = false)
    private long letters;

    @Column(nullable = false)
    private long retrying;

    @Column(nullable = false)
    private long held;

    @Column(nullable = false)
    private long pending;

    @Column(name = "pending_letters", nullable = false)
    private long pendingLetters;

    @Column(nullable = false)
    private long awaiting;

    @Column(name = "awaiting_pending", nullable = false)
    private long awaitingPending;

    /** Required by JPA. */
    @SuppressWarnings("NullAway.Init")
    protected QueueEntity() {}

    QueueEntity(String component) {
        this.component = component;
    }

    void set(QueueCounts counts) {
        letters = counts.letters();
        retrying = counts.retrying();
        held = counts.held();
        pending = counts.pending();
        pendingLetters = counts.pendingLetters();
        awaiting = counts.awaiting();
        awaitingPending = counts.awaitingPending();
    }

    QueueCounts counts() {
        return new QueueCounts(letters, retrying, held, pending, pendingLetters, awaiting, awaitingPending);
    }
}
