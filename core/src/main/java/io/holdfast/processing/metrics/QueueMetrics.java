package io.holdfast.processing.metrics;

import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.handling.BoundComponent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of letters that need an operator, by processor and component. {@code dlq.entries.added}, {@code .replayed}
 * and {@code .discarded} count what this replica has done. {@code dlq.pending} and {@code dlq.oldest.age} are those of
 * the whole queue, the same on every replica.
 */
public final class QueueMetrics implements DeadLetterListener {

    static final String ADDED = "dlq.entries.added";
    static final String REPLAYED = "dlq.entries.replayed";
    static final String DISCARDED = "dlq.entries.discarded";
    static final String PENDING = "dlq.pending";
    static final String OLDEST_AGE = "dlq.oldest.age";

    private final Map<String, Counters> counters = new HashMap<>();

    public QueueMetrics(
            MeterRegistry registry,
            String processor,
            Iterable<BoundComponent> components,
            DeadLetterStore store,
            GaugeReads gaugeReads,
            Clock clock) {
        for (BoundComponent component : components) {
            Tags tags = Tags.of(
                    "processor", processor, "component", component.component().name());
            counters.put(
                    component.id(),
                    new Counters(
                            counter(registry, ADDED, "Letters that became PENDING", tags),
                            counter(registry, REPLAYED, "PENDING letters that were replayed", tags),
                            counter(registry, DISCARDED, "Letters that were discarded or evicted", tags)));
            gauge(
                    registry,
                    PENDING,
                    "Letters that are PENDING",
                    null,
                    tags,
                    () -> gaugeReads.read(
                            () -> (double) store.counts(component.id()).pendingLetters()));
            gauge(
                    registry,
                    OLDEST_AGE,
                    "Age of the oldest PENDING letter",
                    "seconds",
                    tags,
                    () -> gaugeReads.read(() -> store.findOldestPending(component.id())
                            .map(since ->
                                    Duration.between(since, clock.instant()).toMillis() / 1000.0)
                            .orElse(0.0)));
        }
    }

    @Override
    public void changed(DeadLetterChange change) {
        Counters counted = counters.get(change.sequence().component());
        if (counted == null || !change.affectsEntries()) {
            return;
        }
        switch (change.kind()) {
            case PENDING, PARKED_BEHIND -> counted.added().increment(change.letters());
            case REPLAYED -> counted.replayed().increment(change.letters());
            case EVICTED -> counted.discarded().increment(change.letters());
            case PARKED, FAILED_AGAIN, SKIPPED, OVERFLOW -> {}
        }
    }

    private static Counter counter(MeterRegistry registry, String name, String what, Tags tags) {
        return Counter.builder(name).description(what).tags(tags).register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            String what,
            @Nullable String unit,
            Tags tags,
            Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(what)
                .baseUnit(unit)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private record Counters(Counter added, Counter replayed, Counter discarded) {}
}
