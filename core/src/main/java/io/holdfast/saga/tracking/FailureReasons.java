package io.holdfast.saga.tracking;

import io.holdfast.event.Payload;
import io.holdfast.saga.EventMeaning;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads why a step failed or was undone: the property {@code reason} of the event. */
public final class FailureReasons {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_LENGTH = 500;

    private FailureReasons() {}

    /** Returns the reason; null for a step that was done, and for an event without one. */
    static @Nullable String find(EventMeaning meaning, Payload payload) {
        return meaning.isDone() ? null : find(payload);
    }

    /** Returns the reason that an event names; null if it names none. */
    public static @Nullable String find(Payload payload) {
        try {
            JsonNode reason = JSON.readTree(payload.json()).path("reason");
            return reason.isString() ? abbreviated(reason.asString()) : null;
        } catch (JacksonException e) {
            return null; // the fact counts, whatever the payload is
        }
    }

    private static String abbreviated(String reason) {
        return reason.codePointCount(0, reason.length()) <= MAX_LENGTH
                ? reason
                : reason.substring(0, reason.offsetByCodePoints(0, MAX_LENGTH)) + "…";
    }
}
