package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.axonframework.eventhandling.EventHandlerInvoker;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.Segment;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;

/**
 * Handles events as Axon's streaming processors do, in units of work with a transaction. In Axon's favor, reading the
 * events is not measured and no token is stored.
 */
final class AxonParking {

    private final AxonQueue queue;
    private final EventHandlerInvoker invoker;
    private final int eventsPerUnit;

    private AxonParking(AxonQueue queue, EventHandlerInvoker invoker, int eventsPerUnit) {
        this.queue = queue;
        this.invoker = invoker;
        this.eventsPerUnit = eventsPerUnit;
    }

    /** Handles events whose handler fails, each in a new sequence. */
    static Work park(AxonQueue queue, int events, int eventsPerUnit, int threads, long nanoseconds) {
        long before = queue.size();
        List<EventMessage<?>> all = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            all.add(AxonQueue.event("other-" + i, i));
        }
        EventHandlerInvoker failing = queue.invoker(
                event -> {
                    throw new IllegalStateException(ParkedPurchases.CAUSE);
                },
                false);
        Work work = new AxonParking(queue, failing, eventsPerUnit).run(all, threads, nanoseconds);
        if (queue.size() != before + work.count()) {
            throw new PermanentException(
                    "Axon handled " + work.count() + " events but parked " + (queue.size() - before));
        }
        return work;
    }

    static void handle(AxonQueue queue, EventHandlerInvoker invoker, List<EventMessage<?>> events, int eventsPerUnit) {
        new AxonParking(queue, invoker, eventsPerUnit).handle(events, Segment.ROOT_SEGMENT, Long.MAX_VALUE);
    }

    private Work run(List<EventMessage<?>> events, int threads, long nanoseconds) {
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            long start = System.nanoTime();
            List<Future<Integer>> handled = new ArrayList<>();
            for (Segment segment : Segment.splitBalanced(Segment.ROOT_SEGMENT, threads - 1)) {
                List<EventMessage<?>> partition = events.stream()
                        .filter(event -> invoker.canHandle(event, segment))
                        .toList();
                handled.add(workers.submit(() -> handle(partition, segment, start + nanoseconds)));
            }
            long count = 0;
            for (Future<Integer> one : handled) {
                count += one.get();
            }
            return new Work(count, (System.nanoTime() - start) / 1e9);
        } catch (ExecutionException | InterruptedException e) {
            throw Failures.of("parking with Axon", e);
        } finally {
            workers.shutdown();
        }
    }

    private int handle(List<EventMessage<?>> events, Segment segment, long end) {
        int handled = 0;
        while (handled < events.size() && System.nanoTime() < end) {
            List<EventMessage<?>> some = events.subList(handled, Math.min(events.size(), handled + eventsPerUnit));
            BatchingUnitOfWork<EventMessage<?>> unit = new BatchingUnitOfWork<>(some);
            unit.attachTransaction(queue.transactions());
            ResultMessage<?> result = unit.executeWithResult(() -> {
                invoker.handle(unit.getMessage(), segment);
                return null;
            });
            if (result.isExceptional()) {
                throw new PermanentException(
                        "Axon's unit of work failed: " + result.exceptionResult(), result.exceptionResult());
            }
            handled += some.size();
        }
        return handled;
    }
}
