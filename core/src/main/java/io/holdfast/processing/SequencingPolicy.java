package io.holdfast.processing;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Names;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says which events must be handled in order: those of one sequence. Pure, for any number of threads.
 *
 * @param name what it is called in the store, with its version. A processor whose policy is called otherwise does not work
 *     on its segments before all of them stand at one position and nothing is parked: change the name when the outcome
 *     changes, and only then
 * @param sequence the sequence that an event belongs to: any text that is not empty
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

    /** One sequence per saga; events that are part of none go by stream and key. */
    public static SequencingPolicy sagaId() {
        return new SequencingPolicy(
                "saga-id/1",
                event -> event.metadata().sagaId().map(saga -> "saga/" + saga).orElseGet(() -> aggregate(event)));
    }

    /** One sequence per value of an entry of the metadata; events that lack it go by stream and key. */
    public static SequencingPolicy metadata(String entry) {
        return new SequencingPolicy("metadata/" + entry + "/1", event -> event.metadata()
                .find(entry)
                .map(value -> entry + "/" + value)
                .orElseGet(() -> aggregate(event)));
    }

    /** One sequence per value of a property at the top of the payload; events that lack it go by stream and key. */
    public static SequencingPolicy payloadProperty(String property) {
        return new SequencingPolicy("payload/" + property + "/1", event -> {
            JsonNode value = parsed(event).path(property);
            return value.isValueNode() && !value.isNull() && !value.asString().isEmpty()
                    ? property + "/" + value.asString()
                    : aggregate(event);
        });
    }

    /** Every event is a sequence of its own: no order at all. */
    public static SequencingPolicy fullConcurrency() {
        return new SequencingPolicy("full-concurrency/1", event -> event.id().toString());
    }

    /** All events are one sequence. */
    public static SequencingPolicy fullySequential() {
        return new SequencingPolicy("fully-sequential/1", event -> "all");
    }

    /** An event's own sequence: what it is parked under if the policy fails for it. */
    static String ownSequence(UUID eventId) {
        return "event/" + eventId;
    }

    /** A slash in the stream's name is written in another way, so that two aggregates never share a sequence. */
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
