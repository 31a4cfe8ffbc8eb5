package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.axonframework.eventhandling.deadletter.DeadLetteringEventHandlerInvoker;

/**
 * Replays letters: calls {@code processAny} in a loop, with a handler that reads the payload and succeeds.
 *
 * @param calls the duration of each call in milliseconds
 */
record AxonReplay(Work work, List<Double> calls) {

    /** Replays until the queue is empty or the time is up. */
    static AxonReplay replay(AxonQueue queue, long nanoseconds) {
        long before = queue.size();
        LongAdder handled = new LongAdder();
        DeadLetteringEventHandlerInvoker succeeding = queue.invoker(
                event -> {
                    event.getPayload();
                    handled.increment();
                    return null;
                },
                false);
        List<Double> calls = new ArrayList<>();
        long start = System.nanoTime();
        long last = start;
        // Only a call that returns false proves that the queue is empty.
        while (last - start < nanoseconds && succeeding.processAny()) {
            long now = System.nanoTime();
            calls.add((now - last) / 1e6);
            last = now;
        }
        long left = queue.size();
        if (before - left != handled.sum()) {
            throw new PermanentException("Axon replayed " + handled.sum() + " letters but evicted " + (before - left));
        }
        if (left > 0 && last - start < nanoseconds) {
            throw new PermanentException("Axon stopped with " + left + " letters left");
        }
        return new AxonReplay(new Work(handled.sum(), (last - start) / 1e9), calls);
    }
}
