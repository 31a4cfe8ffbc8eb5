package io.holdfast.chaos;

import java.util.List;
import java.util.function.Supplier;

/** Says on the standard error what there is to say when nothing has moved for long: a test that waits in vain shows it. */
final class Standstill {

    private static final int STALL_THRESHOLD = 1_000;

    private final Supplier<?> state;
    private long last = -1;
    private int looks;

    Standstill(Supplier<?> state) {
        this.state = state;
    }

    void look(long position) {
        looks = position == last ? looks + 1 : 0;
        last = position;
        if (looks == STALL_THRESHOLD) {
            System.err.println("nothing has moved beyond " + position + ": " + state.get());
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (thread.getName().startsWith("holdfast")) {
                    System.err.println(thread.getName() + " " + List.of(stack));
                }
            });
        }
    }
}
