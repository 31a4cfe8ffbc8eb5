package io.holdfast.event;

import io.holdfast.PermanentException;
import org.jspecify.annotations.Nullable;

/** Names, keys and metadata that any store can keep: no blank, no control or half character, not endless. */
public final class Names {

    public static final int MAX_LENGTH = 255;

    private Names() {}

    /**
     * @return the value, if every store can keep it
     * @throws PermanentException if not, naming what it was for
     */
    public static String require(String what, String value) {
        String problem = problem(value);
        if (problem != null) {
            throw new PermanentException(what + " " + problem);
        }
        return value;
    }

    private static @Nullable String problem(String value) {
        if (value.isBlank()) {
            return "must not be blank";
        }
        if (value.length() > MAX_LENGTH) {
            return "must have at most " + MAX_LENGTH + " characters, but has " + value.length();
        }
        // A loop, not a stream: keys are checked several times for every event.
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return "must not contain the control character " + Integer.toHexString(value.charAt(i));
            }
        }
        return hasUnpairedSurrogate(value) ? "must not contain half of a surrogate pair" : null;
    }

    /** Whether a text cannot be written as UTF-8: no wire could carry it, and some stores change it without a sign. */
    static boolean hasUnpairedSurrogate(String value) {
        int next;
        for (int i = 0; i < value.length(); i += Character.charCount(next)) {
            next = value.codePointAt(i);
            if (Character.getType(next) == Character.SURROGATE) {
                return true;
            }
        }
        return false;
    }
}
