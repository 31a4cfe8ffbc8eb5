package io.holdfast.handling;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Names;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Assigns events to sequences: events of one sequence are handled in order. Must be pure and thread-safe.
 *
 * @param name the stored name of the policy, with its version. A processor whose policy has another name does not work
 *     on its segments until all of them are at the same position and nothing is parked. Change the name whenever the
 *     result changes, and only then
 * @param sequence returns the sequence identifier of an event: any text that is not empty
 */
public record SequencingPolicy(String name, Function<EventMessage, String> sequence) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public SequencingPolicy {
        Names.require("name of sequencing policy", name);
    }

    /** One sequence per aggregate: the default. */
    public static SequencingPolicy streamAndKey() {
        return new SequencingPolicy("stream-and-key/1", SequencingPolicy::aggregate);
    }

    /** One sequence per saga; events without a saga go by stream and key. */
    public static SequencingPolicy sagaId() {
        return new SequencingPolicy(
                "saga-id/1",
                event -> event.metadata().sagaId().map(saga -> "saga/" + saga).orElseGet(() -> aggregate(event)));
    }

    /** One sequence per value of a metadata entry; events that lack it go by stream and key. */
    public static SequencingPolicy metadata(String entry) {
        return new SequencingPolicy("metadata/" + entry + "/1", event -> event.metadata()
                .find(entry)
                .map(value -> entry + "/" + value)
                .orElseGet(() -> aggregate(event)));
    }

    /** One sequence per value of a top-level property of the payload; events that lack it go by stream and key. */
    public static SequencingPolicy payloadProperty(String property) {
        return new SequencingPolicy("payload/" + property + "/1", event -> {
            JsonNode value = parsed(event).path(property);
            return value.isValueNode() && !value.isNull() && !value.asString().isEmpty()
                    ? property + "/" + value.asString()
                    : aggregate(event);
        });
    }

    /** One sequence per event: no ordering. */
    public static SequencingPolicy fullConcurrency() {
        return new SequencingPolicy("full-concurrency/1", event -> event.id().toString());
    }

    /** One sequence for all events. */
    public static SequencingPolicy fullySequential() {
        return new SequencingPolicy("fully-sequential/1", event -> "all");
    }

    /** Returns the sequence under which an event is parked if the policy fails for it. */
    public static String ownSequence(UUID eventId) {
        return "event/" + eventId;
    }

    /** Escapes slashes in the stream's name, so that two aggregates never share a sequence. */
    private static String aggregate(EventMessage event) {
        return event.stream().replace("~", "~0").replace("/", "~1") + "/" + event.key();
    }

    private static JsonNode parsed(EventMessage event) {
        try {
            return JSON.readTree(event.payload().json());
        } catch (JacksonException e) {
            throw new IllegalArgumentException("the payload of " + event.type() + " " + event.id() + " is not JSON");
        }
    }
}
