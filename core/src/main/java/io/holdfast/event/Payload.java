package io.holdfast.event;

import io.holdfast.PermanentException;
import java.nio.charset.StandardCharsets;

/**
 * The content of an event as JSON with a type name, decoded late.
 *
 * @param type the event type, for example {@code OrderCreated}; not a class name
 * @param revision the revision of the JSON's shape, see {@link Upcaster}
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

    /** Returns a placeholder for a payload that the wire cannot carry: the type without the content. */
    public Payload withoutContent() {
        return new Payload(type, revision, "");
    }

    /** Returns whether the content is missing. Such an event must never count as handled. */
    public boolean isWithoutContent() {
        return json.isEmpty();
    }

    /** Returns the size of the JSON in bytes of UTF-8. */
    public int size() {
        return json.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Requires that every store and wire returns the content unchanged.
     *
     * @return the size of the JSON in bytes of UTF-8
     * @throws PermanentException if it contains NUL or an unpaired surrogate, for example because a text was cut in the
     *     middle of an emoji
     */
    public long requireStorable() {
        long size = Utf8.size(json);
        if (size < 0) {
            throw new PermanentException("payload of " + type + " contains NUL or an unpaired surrogate at character "
                    + (-1 - size) + " of its JSON, which a store would refuse or change; remove it, and cut texts only"
                    + " between whole characters");
        }
        return size;
    }

    /** Returns the type and the size, never the content. */
    @Override
    public String toString() {
        return type + "/" + revision + " (" + json.length() + " characters)";
    }
}
