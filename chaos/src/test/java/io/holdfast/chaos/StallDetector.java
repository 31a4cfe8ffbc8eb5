package io.holdfast.chaos;

import java.util.List;
import java.util.function.Supplier;

/** Says on the standard error what there is to say when nothing has moved for long: a test that waits in vain shows it. */
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
            System.err.println("nothing has moved beyond " + position + ": " + state.get());
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (thread.getName().startsWith("holdfast")) {
                    System.err.println(thread.getName() + " " + List.of(stack));
                }
            });
        }
    }
}
