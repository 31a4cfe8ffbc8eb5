package io.holdfast.deadline;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import io.holdfast.view.View;

/** Names what deadlines are stored in. */
public final class Deadlines {

    /** The deadlines of a service, also those that have ended less than an hour ago. */
    public static final View<Deadline> VIEW = new View<>("deadlines", Deadline.class).indexed(Deadline::index);

    private static final String STREAM_SUFFIX = ".deadlines";

    private Deadlines() {}

    /** Returns the stream to which the deadlines of a service append their events. */
    public static String stream(String service) {
        return service + STREAM_SUFFIX;
    }

    /**
     * Returns the key of a deadline's row in {@link #VIEW}.
     *
     * @throws PermanentException if the name contains a slash, which separates it from the key, or if both are too long
     */
    public static String rowKey(String name, String key) {
        Names.require("name of deadline", name);
        Names.require("key of deadline " + name, key);
        if (name.contains("/")) {
            throw new PermanentException("name of deadline must not contain a slash, but is " + name);
        }
        int length = name.length() + 1 + key.length();
        if (length > Names.MAX_LENGTH) {
            throw new PermanentException("name and key of deadline " + name + " must together have at most "
                    + (Names.MAX_LENGTH - 1) + " characters, but have " + (length - 1));
        }
        return name + "/" + key;
    }
}
