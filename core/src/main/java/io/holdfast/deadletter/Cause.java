package io.holdfast.deadletter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an event could not be handled, as text: the exception's class may be unknown to whoever reads it.
 *
 * @param type the class of what was thrown
 * @param message as it was thrown, or null if there was none
 * @param stackTrace with the causes, without the engine below the user's code
 * @param chain its causes, the nearest first, each in one line
 */
public record Cause(String type, @Nullable String message, String stackTrace, List<String> chain) {

    public static final int MAX_MESSAGE = 2_000;
    public static final int MAX_STACK_TRACE = 16_000;

    /** Causes can go round. */
    public static final int MAX_CHAIN = 20;

    /** Ends what was longer. */
    public static final String TRUNCATED = StorableText.TRUNCATED;

    public Cause {
        type = StorableText.of(type, MAX_MESSAGE);
        message = message == null ? null : StorableText.of(message, MAX_MESSAGE);
        stackTrace = StorableText.of(stackTrace, MAX_STACK_TRACE);
        chain = chain.stream()
                .limit(MAX_CHAIN)
                .map(line -> StorableText.of(line, MAX_MESSAGE))
                .toList();
    }

    /** Without causes of its own. */
    public Cause(String type, @Nullable String message, String stackTrace) {
        this(type, message, stackTrace, List.of());
    }

    public static Cause of(Throwable thrown) {
        String trace = "";
        String message;
        List<String> chain = new ArrayList<>();
        try {
            message = thrown.getMessage();
            trace = StackTraceText.of(thrown);
            Throwable next = thrown.getCause();
            while (next != null && chain.size() < MAX_CHAIN) {
                chain.add(summary(next.getClass().getName(), next.getMessage()));
                next = next.getCause();
            }
        } catch (RuntimeException e) { // a user's exception may fail even in saying what it is
            message = "(its message could not be read: " + e.getClass().getName() + ")";
        }
        return new Cause(thrown.getClass().getName(), message, trace, chain);
    }

    /** The same, with what was thrown by whoever was asked about it. */
    public Cause withSuppressed(String who, Throwable thrown) {
        Cause other = of(thrown);
        String first = message == null ? "" : StorableText.of(message, MAX_MESSAGE / 2);
        return new Cause(
                type,
                first + " (and " + who + " threw " + other.summary() + ")",
                StorableText.of(stackTrace, MAX_STACK_TRACE / 2) + "\n" + who + " threw " + other.stackTrace(),
                chain);
    }

    /** In one line. */
    public String summary() {
        return summary(type, message);
    }

    private static String summary(String type, @Nullable String message) {
        return message == null ? type : type + ": " + message;
    }
}
