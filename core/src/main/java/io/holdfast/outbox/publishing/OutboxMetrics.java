package io.holdfast.outbox.publishing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The publisher's metrics. Thread-safe. */
public final class OutboxMetrics {

    private final Counter delivered;
    private final Counter failed;
    private final Timer duration;
    private final AtomicLong pending = new AtomicLong();
    private final LongAdder positioned = new LongAdder();
    private final LongAdder failedEvents = new LongAdder();

    /** @param committed the number of events that this process has committed */
    public OutboxMetrics(MeterRegistry registry, LongSupplier committed) {
        FunctionCounter.builder("outbox.entries.written", positioned, rows -> committed.getAsLong() + rows.sum())
                .description("Events committed by this process, and outbox entries to which it has assigned positions")
                .register(registry);
        this.delivered = Counter.builder("outbox.entries.delivered")
                .description("Events accepted by the wire; an event that was published twice counts twice")
                .register(registry);
        this.failed = Counter.builder("outbox.entries.failed")
                .description("Events that the wire could not carry; an outage counts only if publishing is not retried")
                .register(registry);
        this.duration = Timer.builder("outbox.publish.duration")
                .description("Duration of publishing a batch")
                .publishPercentileHistogram()
                .register(registry);
        Gauge.builder("outbox.pending", pending, AtomicLong::get)
                .description("Committed events not known to be published, as of a second ago")
                .register(registry);
    }

    void delivered(int count) {
        delivered.increment(count);
    }

    void failed() {
        failed(1);
    }

    void failed(int events) {
        failed.increment(events);
        failedEvents.add(events);
    }

    void positioned(int count) {
        positioned.add(count);
    }

    void pending(long count) {
        pending.set(count);
    }

    long pending() {
        return pending.get();
    }

    /** Returns the number of failed events, also if metrics are not recorded. */
    long failedEvents() {
        return failedEvents.sum();
    }

    void recordPublish(Runnable work) {
        duration.record(work);
    }
}
