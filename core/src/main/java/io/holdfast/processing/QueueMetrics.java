package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.DeadLetterStore;
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
 * What waits for a person, by processor and component: {@code dlq.entries.added}, {@code .replayed}, {@code .discarded} as this
 * replica has done it, {@code dlq.pending} and {@code dlq.oldest.age} of the whole queue, which every replica says alike.
 */
final class QueueMetrics implements DeadLetterListener {

    static final String ADDED = "dlq.entries.added";
    static final String REPLAYED = "dlq.entries.replayed";
    static final String DISCARDED = "dlq.entries.discarded";
    static final String PENDING = "dlq.pending";
    static final String OLDEST_AGE = "dlq.oldest.age";

    private final Map<String, Counters> counters = new HashMap<>();

    QueueMetrics(
            MeterRegistry registry,
            String processor,
            Iterable<BoundComponent> components,
            DeadLetterStore store,
            GaugeReads answers,
            Clock clock) {
        for (BoundComponent component : components) {
            Tags tags = Tags.of(
                    "processor", processor, "component", component.component().name());
            counters.put(
                    component.id(),
                    new Counters(
                            counter(registry, ADDED, "Letters that began to wait for a person", tags),
                            counter(registry, REPLAYED, "Letters of these that were handled", tags),
                            counter(registry, DISCARDED, "Letters that were taken out", tags)));
            gauge(
                    registry,
                    PENDING,
                    "Letters that wait for a person",
                    null,
                    tags,
                    () -> answers.read(
                            () -> (double) store.counts(component.id()).pendingLetters()));
            gauge(
                    registry,
                    OLDEST_AGE,
                    "Since when the oldest of them is parked",
                    "seconds",
                    tags,
                    () -> answers.read(() -> store.findOldestPending(component.id())
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
