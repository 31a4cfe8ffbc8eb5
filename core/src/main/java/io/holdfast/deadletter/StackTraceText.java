package io.holdfast.deadletter;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * Prints a stack trace without the engine's frames below the handler. These frames are the same for every letter and
 * would make up most of the stored text.
 */
final class StackTraceText {

    /** The frames in which the engine calls handlers and decisions. */
    private static final List<String> ENGINE_FRAMES = List.of(
            "at io.holdfast.processing.segment.HandlerTask.run(", "at io.holdfast.commit.group.PartDecider.run(");

    private StackTraceText() {}

    static String of(Throwable thrown) {
        StringWriter whole = new StringWriter();
        thrown.printStackTrace(new PrintWriter(whole));
        StringBuilder result = new StringBuilder();
        boolean isEngine = false;
        for (String line : whole.toString().lines().toList()) {
            String frame = line.strip();
            boolean isFrame = frame.startsWith("at ") || frame.startsWith("... ");
            isEngine = isFrame && (isEngine || ENGINE_FRAMES.stream().anyMatch(frame::startsWith));
            if (!isEngine) {
                result.append(line).append('\n');
            }
        }
        return result.toString().stripTrailing();
    }
}
