package io.holdfast.event;

import io.holdfast.PermanentException;
import org.jspecify.annotations.Nullable;

/**
 * Validates names, keys and metadata, so that every store and wire can represent them: not blank, no control
 * characters, no unpaired surrogates, limited length.
 */
public final class Names {

    public static final int MAX_LENGTH = 255;

    private Names() {}

    /**
     * @return the value
     * @throws PermanentException if a store could not represent the value; the message names its purpose
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
        // A loop instead of a stream, because keys are checked several times per event.
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return "must not contain the control character " + Integer.toHexString(value.charAt(i));
            }
        }
        return hasUnpairedSurrogate(value) ? "must not contain an unpaired surrogate" : null;
    }

    /**
     * Returns whether every store and wire returns a text unchanged. A text with NUL is refused by PostgreSQL. One with
     * an unpaired surrogate cannot be encoded as UTF-8, so drivers replace a character of it silently.
     */
    public static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && !hasUnpairedSurrogate(text);
    }

    /** Returns whether a text cannot be encoded as UTF-8. */
    static boolean hasUnpairedSurrogate(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (!Utf8.isPair(value, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }
}
