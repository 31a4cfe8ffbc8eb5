package io.holdfast.deadletter;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * Why an event could not be handled, as text: the exception's class may be unknown to whoever reads it.
 *
 * @param type the class of what was thrown
 * @param message as it was thrown, or null if there was none
 * @param stackTrace with the causes
 */
public record Cause(String type, @Nullable String message, String stackTrace) {

    public static final int MAX_MESSAGE = 2_000;
    public static final int MAX_STACK_TRACE = 16_000;

    /** Ends what was longer. */
    public static final String TRUNCATED = "… (truncated)";

    public Cause {
        type = storable(type, MAX_MESSAGE);
        message = message == null ? null : storable(message, MAX_MESSAGE);
        stackTrace = storable(stackTrace, MAX_STACK_TRACE);
    }

    public static Cause of(Throwable thrown) {
        StringWriter trace = new StringWriter();
        String message;
        try {
            message = thrown.getMessage();
            thrown.printStackTrace(new PrintWriter(trace));
        } catch (RuntimeException e) { // a user's exception may fail even in saying what it is
            message = "(its message could not be read: " + e.getClass().getName() + ")";
        }
        return new Cause(thrown.getClass().getName(), message, trace.toString());
    }

    /** In one line. */
    public String summary() {
        return message == null ? type : type + ": " + message;
    }

    /**
     * No database keeps the character 0, and half a surrogate pair cannot be written as UTF-8. What was cut before is
     * not cut again, so that it is read as it was written.
     */
    private static String storable(String text, int limit) {
        boolean wasCut = text.endsWith(TRUNCATED) && text.length() <= limit + 1 + TRUNCATED.length();
        boolean isCut = text.length() > limit && !wasCut;
        StringBuilder kept = new StringBuilder();
        int next;
        for (int i = 0; i < text.length() && (!isCut || kept.length() < limit); i += Character.charCount(next)) {
            next = text.codePointAt(i);
            boolean isWhole = next != 0 && Character.getType(next) != Character.SURROGATE;
            kept.appendCodePoint(isWhole ? next : '\uFFFD');
        }
        return isCut ? kept.append(TRUNCATED).toString() : kept.toString();
    }
}
