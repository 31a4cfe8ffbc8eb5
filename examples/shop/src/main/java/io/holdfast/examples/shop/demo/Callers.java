package io.holdfast.examples.shop.demo;

import io.holdfast.RetryableException;
import io.holdfast.examples.shop.order.OrderService;
import io.holdfast.examples.shop.order.PlacedOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Threads that place the orders of a plan, each the next one that nobody has taken. What is refused as worth another try
 * they send again, with the same key.
 */
final class Callers {

    private static final long PATIENCE_NANOS = 5_000_000;

    private final Supplier<OrderService> service;
    private final List<ShoppingPlan.PlannedOrder> orders;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger placed = new AtomicInteger();
    private final AtomicInteger recognised = new AtomicInteger();

    /** @param service where to send an order now; a restarted service is another object */
    Callers(Supplier<OrderService> service, List<ShoppingPlan.PlannedOrder> orders) {
        this.service = service;
        this.orders = orders;
    }

    /** How many orders were answered. */
    int placed() {
        return placed.get();
    }

    /** How many requests were answered with the order of an earlier one. */
    int recognised() {
        return recognised.get();
    }

    /** Starts all callers; the future of each ends with its last order, or with what went wrong. */
    List<Future<?>> start(int callers) {
        ExecutorService threads = Executors.newFixedThreadPool(callers, work -> {
            Thread thread = new Thread(work, "caller");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            running.add(threads.submit(this::placeAll));
        }
        threads.shutdown();
        return running;
    }

    /** Throws what one of the ended callers met. */
    static void throwFailures(List<Future<?>> callers) throws InterruptedException {
        for (Future<?> caller : callers) {
            if (caller.isDone()) {
                try {
                    caller.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("a caller failed: " + e.getCause(), e.getCause());
                }
            }
        }
    }

    private void placeAll() {
        for (int i = next.getAndIncrement(); i < orders.size(); i = next.getAndIncrement()) {
            ShoppingPlan.PlannedOrder order = orders.get(i);
            place(order);
            placed.incrementAndGet();
            if (order.sentTwice() && place(order).duplicate()) {
                recognised.incrementAndGet();
            }
        }
    }

    private PlacedOrder place(ShoppingPlan.PlannedOrder order) {
        while (true) {
            try {
                return service.get().place(order.idempotencyKey(), order.request());
            } catch (RetryableException e) {
                LockSupport.parkNanos(PATIENCE_NANOS); // refused before anything was done, or the key will tell
            }
        }
    }
}
