package io.holdfast.processing.metrics;

import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.parking.BoundComponent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of letters that need an operator, by processor and component. {@code dlq.entries.added}, {@code .replayed}
 * and {@code .discarded} count what this replica has done: over all replicas, each entry is added once, and replayed or
 * discarded once, unless a reset clears it. {@code dlq.pending} and {@code dlq.oldest.age} are those of
 * the whole queue, the same on every replica.
 */
public final class QueueMetrics implements DeadLetterListener {

    static final String ADDED = "dlq.entries.added";
    static final String REPLAYED = "dlq.entries.replayed";
    static final String DISCARDED = "dlq.entries.discarded";
    static final String PENDING = "dlq.pending";
    static final String OLDEST_AGE = "dlq.oldest.age";

    private final Map<String, Counters> counters = new ConcurrentHashMap<>();
    private final MeterRegistry registry;
    private final String processor;
    private final DeadLetterStore store;
    private final GaugeReads gaugeReads;
    private final Clock clock;

    public QueueMetrics(
            MeterRegistry registry,
            String processor,
            Iterable<BoundComponent> components,
            DeadLetterStore store,
            GaugeReads gaugeReads,
            Clock clock) {
        this.registry = registry;
        this.processor = processor;
        this.store = store;
        this.gaugeReads = gaugeReads;
        this.clock = clock;
        components.forEach(this::register);
    }

    /** Registers the metrics of a component, which this version may lack. */
    public void register(BoundComponent component) {
        Tags tags = Tags.of(
                "processor", processor, "component", component.component().name());
        counters.put(
                component.id(),
                new Counters(
                        counter(ADDED, "Letters that became entries", tags),
                        counter(REPLAYED, "Entries that were replayed", tags),
                        counter(DISCARDED, "Entries that were discarded or evicted", tags)));
        gauge(PENDING, "Letters that are PENDING", null, tags, () ->
                (double) store.counts(component.id()).pendingLetters());
        gauge(OLDEST_AGE, "Age of the oldest PENDING letter", "seconds", tags, () -> store.findOldestPending(
                        component.id())
                .map(since ->
                        Math.max(0, Duration.between(since, clock.instant()).toMillis()) / 1000.0)
                .orElse(0.0));
    }

    @Override
    public void changed(DeadLetterChange change) {
        Counters counted = counters.get(change.sequence().component());
        if (counted == null || !change.affectsEntries()) {
            return;
        }
        counted.added().increment(change.newEntries());
        switch (change.kind()) {
            case REPLAYED -> counted.replayed().increment(change.letters());
            case EVICTED -> counted.discarded().increment(change.letters());
            case PARKED, PARKED_BEHIND, PENDING, RESTORED, FAILED_AGAIN, SKIPPED, OVERFLOW -> {}
        }
    }

    private Counter counter(String name, String what, Tags tags) {
        return Counter.builder(name).description(what).tags(tags).register(registry);
    }

    private void gauge(String name, String what, @Nullable String unit, Tags tags, Supplier<Double> value) {
        Gauge.builder(name, () -> gaugeReads.read(value))
                .description(what)
                .baseUnit(unit)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private record Counters(Counter added, Counter replayed, Counter discarded) {}
}
