package io.holdfast.admin.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.deadletter.Cause;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Names;
import io.holdfast.event.Payload;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parks events by hand. An event of the service's own log is parked as it was appended. Any other belongs to no stream that
 * the component reads: a reset clears the letters of such events, because it handles them again.
 */
final class HandParkedLetters {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int PAGE_SIZE = 500;

    private final HoldfastService service;
    private final ServiceComponents components;
    private final Clock clock;

    HandParkedLetters(HoldfastService service, Clock clock) {
        this.service = service;
        this.components = new ServiceComponents(service);
        this.clock = clock;
    }

    void park(DeadLetterEntry entry) {
        requireOwn(entry);
        ManagedComponent component = component(entry);
        EventMessage event = event(entry, component);
        String sequence = entry.sequence().isEmpty() ? entry.key() : entry.sequence();
        String reason = Objects.requireNonNullElse(entry.failureReason(), "parked by hand");
        var unused = component
                .queue()
                .enqueue(sequence, event, new Cause(ParkedByHandException.class.getName(), reason, ""));
    }

    private void requireOwn(DeadLetterEntry entry) {
        String owner = entry.sourceService();
        if (!owner.isEmpty() && !owner.equals(components.service())) {
            throw new PermanentException("event " + entry.originalEventId() + " cannot be parked for service " + owner
                    + " by service " + components.service() + "; park it there");
        }
    }

    private ManagedComponent component(DeadLetterEntry entry) {
        List<ManagedComponent> matching = components.requireComponents(entry.component()).stream()
                .filter(each ->
                        entry.processor().isEmpty() || each.processorName().equals(entry.processor()))
                .toList();
        if (matching.size() != 1) {
            throw new PermanentException("component " + entry.component() + " of event " + entry.originalEventId()
                    + " must name exactly one component, but matches "
                    + matching.stream().map(ManagedComponent::id).toList());
        }
        return matching.get(0);
    }

    private EventMessage event(DeadLetterEntry entry, ManagedComponent component) {
        Optional<EventMessage> appended = findAppended(entry);
        if (appended.isEmpty() && component.processor().reads(entry.topicName())) {
            throw new PermanentException("event " + entry.originalEventId() + " of key " + entry.key()
                    + " is not in this service's stream " + entry.topicName()
                    + ", which the component reads; append the event, or park it under another topic");
        }
        return appended.orElseGet(() -> create(entry));
    }

    private Optional<EventMessage> findAppended(DeadLetterEntry entry) {
        EventLog log = service.eventLog();
        long version = 0;
        List<EventMessage> page;
        do {
            page = log.readKey(entry.topicName(), entry.key(), version, PAGE_SIZE);
            for (EventMessage event : page) {
                if (event.id().equals(entry.originalEventId())) {
                    return Optional.of(event);
                }
                version = event.version();
            }
        } while (page.size() == PAGE_SIZE);
        return Optional.empty();
    }

    private EventMessage create(DeadLetterEntry entry) {
        UUID id = entry.originalEventId();
        return new EventMessage(
                id,
                components.service(),
                Names.require("topic of event " + id, entry.topicName()),
                Names.require("key of event " + id, entry.key()),
                1,
                Objects.requireNonNullElseGet(entry.failureTimestamp(), clock::instant),
                metadata(entry),
                new Payload(Names.require("type of event " + id, entry.eventType()), 1, json(entry)),
                new LogPosition(service.eventLog().identity(), 1, 0, null));
    }

    private static Metadata metadata(DeadLetterEntry entry) {
        Metadata metadata = Metadata.none();
        String correlation = entry.correlationId();
        String saga = entry.sagaId();
        Metadata correlated = correlation == null ? metadata : metadata.withCorrelationId(correlation);
        return saga == null ? correlated : correlated.with("sagaId", saga);
    }

    private static String json(DeadLetterEntry entry) {
        Object payload = entry.payload();
        if (payload == null) {
            throw new PermanentException("event " + entry.originalEventId() + " cannot be parked without a payload");
        }
        try {
            return payload instanceof String text ? JSON.readTree(text).toString() : JSON.writeValueAsString(payload);
        } catch (JacksonException e) {
            throw new PermanentException(
                    "the payload of event " + entry.originalEventId() + " is not JSON: " + e.getOriginalMessage(), e);
        }
    }
}
