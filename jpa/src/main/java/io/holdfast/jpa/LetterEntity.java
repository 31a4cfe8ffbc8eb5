package io.holdfast.jpa;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.jdbc.LetterJson;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.Length;
import org.jspecify.annotations.Nullable;

/** A row of {@code holdfast_letter}. Never cached: other replicas write it too. */
@Entity(name = "HoldfastLetter")
@Table(name = "holdfast_letter")
@Cacheable(false)
class LetterEntity {

    @EmbeddedId
    private LetterKey id;

    @Embedded
    private LetterEvent event;

    @Embedded
    private @Nullable LetterCause cause;

    @Column(name = "enqueued_at", nullable = false)
    private Instant enqueuedAt;

    @Column(name = "last_touched", nullable = false)
    private Instant lastTouched;

    @Column(nullable = false, length = Length.LONG32)
    private String attempts;

    @Column(nullable = false, length = Length.LONG32)
    private String diagnostics;

    @Column(name = "failed_replays", nullable = false)
    private int failedReplays;

    /** Required by JPA. */
    @SuppressWarnings("NullAway.Init")
    protected LetterEntity() {}

    @SuppressWarnings({"NullAway.Init", "this-escape"})
    LetterEntity(DeadLetter letter) {
        this.id = LetterKey.of(letter.id());
        set(letter);
    }

    /** Sets everything except the identifier. */
    final void set(DeadLetter letter) {
        event = LetterEvent.of(letter.message());
        cause = LetterCause.of(letter.cause());
        enqueuedAt = Times.toStoredPrecision(letter.enqueuedAt());
        lastTouched = Times.toStoredPrecision(letter.lastTouched());
        attempts = LetterJson.attempts(letter.attempts());
        diagnostics = LetterJson.diagnostics(letter.diagnostics());
        failedReplays = letter.failedReplays();
    }

    LetterKey id() {
        return id;
    }

    DeadLetter letter() {
        return new DeadLetter(
                id.sequenceId(),
                id.number(),
                event.event(),
                LetterCause.cause(cause),
                enqueuedAt,
                lastTouched,
                LetterJson.attempts(attempts),
                LetterJson.diagnostics(diagnostics),
                failedReplays);
    }
}
