package io.holdfast.processing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** What a processor counts: {@code processor.events} by outcome and {@code processor.lag} by segment. */
final class ProcessorMetrics {

    static final String EVENTS = "processor.events";
    static final String LAG = "processor.lag";

    /** What became of one event in one component. */
    enum Outcome {
        HANDLED,
        FAILED,
        PARKED,
        REPLAYED,
        SKIPPED
    }

    private final MeterRegistry registry;
    private final String processor;
    private final Map<Outcome, Counter> counters = new ConcurrentHashMap<>();
    private final Map<Integer, Gauge> lags = new ConcurrentHashMap<>();

    ProcessorMetrics(MeterRegistry registry, String processor) {
        this.registry = registry;
        this.processor = processor;
        for (Outcome outcome : Outcome.values()) {
            counters.put(
                    outcome,
                    Counter.builder(EVENTS)
                            .description("Events by what became of them in a component")
                            .tag("processor", processor)
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    void count(Outcome outcome, int events) {
        Counter counter = counters.get(outcome);
        if (counter != null && events > 0) {
            counter.increment(events);
        }
    }

    /** Shows how far behind a segment of this replica is, as long as the replica has it. */
    <T> void registerLag(int segment, T work, ToDoubleFunction<T> lag) {
        removeLag(segment);
        lags.put(
                segment,
                Gauge.builder(LAG, work, lag)
                        .description("Positions between the newest event of the streams and the segment")
                        .tag("processor", processor)
                        .tag("segment", Integer.toString(segment))
                        .register(registry));
    }

    void removeLag(int segment) {
        Gauge gauge = lags.remove(segment);
        if (gauge != null) {
            registry.remove(gauge);
        }
    }
}
