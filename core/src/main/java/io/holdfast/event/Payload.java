package io.holdfast.event;

import java.nio.charset.StandardCharsets;

/**
 * The content of an event as JSON with a type name, decoded late.
 *
 * @param type what happened, for example {@code OrderCreated}; not a class name
 * @param revision the shape of the JSON, raised when it changes; see {@link Upcaster}
 * @param json the content
 */
public record Payload(String type, int revision, String json) {

    public Payload {
        Names.require("event type", type);
        if (revision < 1) {
            throw new IllegalArgumentException(
                    "revision of event type " + type + " must be 1 or more, but is " + revision);
        }
    }

    /** What stands for a payload that the wire could not carry: the type is known, the content is not. */
    public Payload withoutContent() {
        return new Payload(type, revision, "");
    }

    /** Whether the content did not come along. Nobody may take such an event for handled. */
    public boolean isWithoutContent() {
        return json.isEmpty();
    }

    /** The size of the JSON in bytes of UTF-8. */
    public int size() {
        return json.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The type and the size; never the content. */
    @Override
    public String toString() {
        return type + "/" + revision + " (" + json.length() + " characters)";
    }
}
