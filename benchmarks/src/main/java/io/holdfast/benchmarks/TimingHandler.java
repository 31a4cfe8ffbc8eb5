package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.Component;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.ProcessorConfiguration;
import io.holdfast.wire.StartAt;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A handler without effects that records when it was called. */
final class TimingHandler {

    private static final long BOUND_SECONDS = 120;

    private final Consumer<EventMessage> afterEach;
    private final Map<Long, Long> handledAt = new ConcurrentHashMap<>();
    private volatile long lastHandledAt;

    TimingHandler(Consumer<EventMessage> then) {
        this.afterEach = then;
    }

    Consumer<ProcessorConfiguration> processor(String stream, StartAt start) {
        Component component = Component.named("handling")
                .on(Purchases.Purchased.class, (event, context) -> {
                    lastHandledAt = System.nanoTime();
                    handledAt.put(event.amount(), lastHandledAt);
                    afterEach.accept(context.event());
                })
                .build();
        return definition -> definition.reads(stream).startsAt(start).calls(component);
    }

    /** Returns when the purchase with this amount was handled, or 0 if it was not handled yet. */
    long handledAt(long amount) {
        return handledAt.getOrDefault(amount, 0L);
    }

    /** Returns the seconds from {@code moment} until the last event was handled. */
    double lastHandledAfter(long moment) {
        return (lastHandledAt - moment) / 1e9;
    }

    void await(CountDownLatch all, HoldfastService publishing, HoldfastService reading) {
        if (!isDone(all)) {
            throw new PermanentException(all.getCount() + " events were not handled; processors "
                    + reading.processors().values().stream()
                            .map(processor -> processor.status().toString())
                            .toList()
                    + ", pending " + publishing.publisher().pending());
        }
    }

    static void await(CountDownLatch all) {
        if (!isDone(all)) {
            throw new PermanentException(all.getCount() + " events were not received");
        }
    }

    private static boolean isDone(CountDownLatch all) {
        try {
            return all.await(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw Failures.of("waiting for events", e);
        }
    }
}
