package io.holdfast.chaos;

import java.util.List;
import java.util.function.Supplier;

/**
 * Dumps state and stack traces to standard error after a long time without progress. A test that times out prints them.
 */
final class StallDetector {

    private static final int STALL_THRESHOLD = 1_000;

    private final Supplier<?> state;
    private long last = -1;
    private int unchangedChecks;

    StallDetector(Supplier<?> state) {
        this.state = state;
    }

    void check(long position) {
        unchangedChecks = position == last ? unchangedChecks + 1 : 0;
        last = position;
        if (unchangedChecks == STALL_THRESHOLD) {
            System.err.println("no progress beyond position " + position + ": " + state.get());
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (thread.getName().startsWith("holdfast")) {
                    System.err.println(thread.getName() + " " + List.of(stack));
                }
            });
        }
    }
}
