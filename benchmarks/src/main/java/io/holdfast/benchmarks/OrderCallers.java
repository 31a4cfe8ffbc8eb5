package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Concurrent callers. Each places its next order when the previous call has returned. */
final class OrderCallers {

    private OrderCallers() {}

    /**
     * Returns when all orders are placed.
     *
     * @param place places the order with this number, from 0
     */
    static void placeAll(int callers, int orders, IntConsumer place) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        AtomicInteger next = new AtomicInteger();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                running.add(threads.submit(() -> {
                    for (int order = next.getAndIncrement(); order < orders; order = next.getAndIncrement()) {
                        place.accept(order);
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw Failures.of("placing orders", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
