package io.holdfast.deadletter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exception with which an event failed, as text: its class may be unknown to the process that reads it. Text that
 * is too long is truncated.
 *
 * @param type the exception's class name
 * @param message the exception's message, or null if it has none
 * @param stackTrace the stack trace including causes, without the engine's frames below the handler
 * @param chain the exception's causes, nearest first, each in one line
 */
public record Cause(String type, @Nullable String message, String stackTrace, List<String> chain) {

    public static final int MAX_MESSAGE = 2_000;
    public static final int MAX_STACK_TRACE = 16_000;

    /** Bounds the chain, because causes can be circular. */
    public static final int MAX_CHAIN = 20;

    /** Suffix of a truncated text. */
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

    /** Creates a cause without a chain. */
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
        } catch (RuntimeException e) { // a user's exception may override its own rendering and throw
            message = "(message could not be read: " + e.getClass().getName() + ")";
        }
        return new Cause(thrown.getClass().getName(), message, trace, chain);
    }

    /**
     * Returns this cause with a second failure added to its message and stack trace.
     *
     * @param source the code that threw while it handled this failure, such as the enqueue policy
     */
    public Cause withSuppressed(String source, Throwable thrown) {
        Cause other = of(thrown);
        String first = message == null ? "" : StorableText.of(message, MAX_MESSAGE / 2);
        return new Cause(
                type,
                first + " (and " + source + " threw " + other.summary() + ")",
                StorableText.of(stackTrace, MAX_STACK_TRACE / 2) + "\n" + source + " threw " + other.stackTrace(),
                chain);
    }

    /** Returns the exception's class and message in one line. */
    public String summary() {
        return summary(type, message);
    }

    private static String summary(String type, @Nullable String message) {
        return message == null ? type : type + ": " + message;
    }
}
