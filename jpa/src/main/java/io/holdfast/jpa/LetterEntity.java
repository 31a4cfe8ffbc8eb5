package io.holdfast.jpa;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.jdbc.LetterTexts;
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
    private KeptEvent event;

    @Embedded
    private @Nullable KeptCause cause;

    @Column(name = "enqueued_at", nullable = false)
    private Instant enqueuedAt;

    @Column(name = "last_touched", nullable = false)
    private Instant lastTouched;

    @Column(nullable = false, length = Length.LONG32)
    private String attempts;

    @Column(nullable = false, length = Length.LONG32)
    private String diagnostics;

    /** For JPA. */
    @SuppressWarnings("NullAway.Init")
    protected LetterEntity() {}

    @SuppressWarnings({"NullAway.Init", "this-escape"})
    LetterEntity(DeadLetter letter) {
        this.id = LetterKey.of(letter.id());
        set(letter);
    }

    /** All but its place in the sequence. */
    final void set(DeadLetter letter) {
        event = KeptEvent.of(letter.message());
        cause = KeptCause.of(letter.cause());
        enqueuedAt = Times.kept(letter.enqueuedAt());
        lastTouched = Times.kept(letter.lastTouched());
        attempts = LetterTexts.attempts(letter.attempts());
        diagnostics = LetterTexts.diagnostics(letter.diagnostics());
    }

    LetterKey id() {
        return id;
    }

    DeadLetter letter() {
        return new DeadLetter(
                id.sequenceId(),
                id.number(),
                event.message(),
                KeptCause.cause(cause),
                enqueuedAt,
                lastTouched,
                LetterTexts.attempts(attempts),
                LetterTexts.diagnostics(diagnostics));
    }
}
