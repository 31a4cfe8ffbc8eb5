package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.entry.EntryStatus;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds an entry that {@link DeadLetterQueueOperations#add} parks. Not thread-safe. */
public final class DeadLetterEntryBuilder {

    private @Nullable UUID originalEventId;
    private String eventType = "";
    private String topicName = "";
    private String key = "";
    private @Nullable Object payload;
    private @Nullable String failureReason;
    private @Nullable Instant failureTimestamp;
    private String sourceService = "";
    private String processor = "";
    private String component = "";
    private String sequence = "";
    private @Nullable String sagaId;
    private @Nullable String correlationId;

    DeadLetterEntryBuilder() {}

    /** Sets the id of the event, which is parked once per component. */
    public DeadLetterEntryBuilder originalEventId(UUID id) {
        originalEventId = id;
        return this;
    }

    public DeadLetterEntryBuilder eventType(String type) {
        eventType = type;
        return this;
    }

    /**
     * Sets where the event was published. If that is a stream of this service, the event must exist there, and is parked as
     * it was appended. No other name may be that of a stream which the component reads.
     */
    public DeadLetterEntryBuilder topicName(String name) {
        topicName = name;
        return this;
    }

    /** Sets the aggregate id. */
    public DeadLetterEntryBuilder key(String id) {
        key = id;
        return this;
    }

    /** Sets the content of the event: an object that can be written as JSON, or a text that is JSON. */
    public DeadLetterEntryBuilder payload(Object content) {
        payload = content;
        return this;
    }

    public DeadLetterEntryBuilder failureReason(String reason) {
        failureReason = reason;
        return this;
    }

    public DeadLetterEntryBuilder failureTimestamp(Instant time) {
        failureTimestamp = time;
        return this;
    }

    /** Sets the service that could not handle the event, which is the one that parks it. */
    public DeadLetterEntryBuilder sourceService(String service) {
        sourceService = service;
        return this;
    }

    /** Sets the component that handles the event in a replay: its name, its processor and name, or its id. */
    public DeadLetterEntryBuilder component(String name) {
        component = name;
        return this;
    }

    public DeadLetterEntryBuilder processor(String name) {
        processor = name;
        return this;
    }

    /** Sets the sequence that the letter belongs to; by default the key. */
    public DeadLetterEntryBuilder sequence(String identifier) {
        sequence = identifier;
        return this;
    }

    public DeadLetterEntryBuilder sagaId(@Nullable String id) {
        sagaId = id;
        return this;
    }

    public DeadLetterEntryBuilder correlationId(@Nullable String id) {
        correlationId = id;
        return this;
    }

    public DeadLetterEntry build() {
        UUID id = originalEventId == null ? UUID.randomUUID() : originalEventId;
        return new DeadLetterEntry(
                "",
                id,
                eventType,
                topicName,
                key.isEmpty() ? id.toString() : key,
                payload,
                failureReason,
                null,
                failureTimestamp,
                null,
                sourceService,
                processor,
                component,
                "",
                null,
                sagaId,
                correlationId,
                sequence.isEmpty() ? key : sequence,
                null,
                null,
                0,
                null,
                null,
                0,
                EntryStatus.PENDING,
                null,
                null,
                null,
                null,
                null);
    }
}
