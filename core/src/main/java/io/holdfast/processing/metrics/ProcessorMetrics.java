package io.holdfast.processing.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** The metrics of a processor: {@code processor.events} by outcome and {@code processor.lag} by segment. */
public final class ProcessorMetrics {

    static final String EVENTS = "processor.events";
    static final String LAG = "processor.lag";

    /** The outcome of one event in one component. */
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

    public ProcessorMetrics(MeterRegistry registry, String processor) {
        this.registry = registry;
        this.processor = processor;
        for (Outcome outcome : Outcome.values()) {
            counters.put(
                    outcome,
                    Counter.builder(EVENTS)
                            .description("Events by their outcome in a component")
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

    /** Registers the lag of a segment for as long as this replica owns it. */
    public <T> void registerLag(int segment, T worker, ToDoubleFunction<T> lag) {
        removeLag(segment);
        lags.put(
                segment,
                Gauge.builder(LAG, worker, lag)
                        .description("Positions between the heads of the streams and the segment")
                        .tag("processor", processor)
                        .tag("segment", Integer.toString(segment))
                        .register(registry));
    }

    public void removeLag(int segment) {
        Gauge gauge = lags.remove(segment);
        if (gauge != null) {
            registry.remove(gauge);
        }
    }
}
