package io.holdfast.jpa;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Payload;
import io.holdfast.jdbc.LetterJson;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.Length;
import org.jspecify.annotations.Nullable;

/** The columns of the event in {@code holdfast_letter}: the whole event, whichever log it comes from. */
@Embeddable
record LetterEvent(
        @Column(name = "event_id", nullable = false) UUID eventId,
        @Column(nullable = false) String source,
        @Column(nullable = false) String stream,
        @Column(name = "aggregate_key", nullable = false) String aggregateKey,
        @Column(name = "key_version", nullable = false) long keyVersion,
        @Column(name = "occurred_at", nullable = false) Instant occurredAt,
        @Column(name = "event_type", nullable = false) String eventType,
        @Column(nullable = false) int revision,
        @Column(nullable = false, length = Length.LONG32) String metadata,
        @Column(nullable = false, length = Length.LONG32) String payload,
        @Column(name = "log_position", nullable = false) long logPosition,
        @Column(name = "previous_position", nullable = false) long previousPosition,
        @Column(name = "previous_id") @Nullable UUID previousId,
        @Column(name = "log_id", nullable = false) UUID logId,
        @Column(nullable = false) int epoch) {

    static LetterEvent of(EventMessage event) {
        LogPosition position = event.logPosition();
        return new LetterEvent(
                event.id(),
                event.source(),
                event.stream(),
                event.key(),
                event.version(),
                Times.toStoredPrecision(event.occurredAt()),
                event.type(),
                event.payload().revision(),
                LetterJson.metadata(event.metadata()),
                event.payload().json(),
                position.position(),
                position.previousPosition(),
                position.previousId(),
                position.log().id(),
                position.log().epoch());
    }

    EventMessage event() {
        return new EventMessage(
                eventId,
                source,
                stream,
                aggregateKey,
                keyVersion,
                occurredAt,
                LetterJson.metadata(metadata),
                new Payload(eventType, revision, payload),
                new LogPosition(new LogIdentity(logId, epoch), logPosition, previousPosition, previousId));
    }
}
