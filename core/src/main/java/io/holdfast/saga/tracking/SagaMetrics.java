package io.holdfast.saga.tracking;

import io.holdfast.commit.group.RowChange;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaTransition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of sagas, by type. Counters and timers follow committed changes of rows, so each transition counts once, on
 * the replica that committed it; a commit whose response was lost does not count. Gauges count rows, so they are never
 * negative and survive a restart. Thread-safe.
 */
final class SagaMetrics {

    /** Counting more active sagas than this would take long. */
    private static final long MAX_COUNT = 1_000_000;

    private final MeterRegistry registry;
    private final SagaStateStore sagas;
    private final Map<List<String>, Counter> counters = new ConcurrentHashMap<>();
    private final Map<List<String>, Timer> timers = new ConcurrentHashMap<>();

    SagaMetrics(MeterRegistry registry, SagaStateStore sagas, Collection<String> types) {
        this.registry = registry;
        this.sagas = sagas;
        types.forEach(this::register);
    }

    private void register(String type) {
        List<String> types = List.of(type);
        for (String counter : List.of("started", "completed", "compensated", "timedout", "failed", "late.steps")) {
            counter("saga." + counter, type);
        }
        counter("saga.orphans", type);
        timer("saga.duration", type, "");
        timer("saga.compensation.duration", type, "");
        gauge("saga.active", type, store -> store.countActive(types, MAX_COUNT));
        gauge("saga.compensating", type, store -> store.count(types, SagaStatus.COMPENSATING, null, MAX_COUNT));
        gauge("saga.attention", type, store -> store.count(types, null, true, MAX_COUNT));
        gauge("saga.suspended", type, store -> store.countSuspended(types, MAX_COUNT));
    }

    private void gauge(String name, String type, ToDoubleFunction<SagaStateStore> count) {
        Supplier<Number> value = () -> {
            try {
                return count.applyAsDouble(sagas);
            } catch (RuntimeException e) {
                return Double.NaN; // the store does not respond
            }
        };
        Gauge.builder(name, value).tag("sagaType", type).register(registry);
    }

    void changed(RowChange<SagaState> change) {
        SagaState after = change.after();
        if (after == null) {
            return;
        }
        SagaState before = change.before();
        SagaTransition transition = SagaTransition.between(before, after);
        String type = after.sagaType();
        count(transition.started(), "saga.started", type);
        count(transition.timedOut(), "saga.timedout", type);
        count(transition.ended() == SagaStatus.COMPLETED, "saga.completed", type);
        count(transition.ended() == SagaStatus.COMPENSATED, "saga.compensated", type);
        count(transition.ended() == SagaStatus.FAILED, "saga.failed", type);
        count(before == null && after.status() == SagaStatus.PLACEHOLDER, "saga.orphans", type);
        transition.lateSteps().forEach(step -> count(true, "saga.late.steps", type));
        record("saga.duration", type, transition.duration());
        record("saga.compensation.duration", type, transition.compensationDuration());
        transition.stepDurations().forEach((step, duration) -> timer("saga.step.duration", type, step)
                .record(duration));
    }

    private void count(boolean happened, String name, String type) {
        if (happened) {
            counter(name, type).increment();
        }
    }

    private void record(String name, String type, @Nullable Duration duration) {
        if (duration != null) {
            timer(name, type, "").record(duration);
        }
    }

    private Counter counter(String name, String type) {
        return counters.computeIfAbsent(List.of(name, type), unknown -> registry.counter(name, "sagaType", type));
    }

    /** @param step empty for a timer of whole sagas */
    private Timer timer(String name, String type, String step) {
        return timers.computeIfAbsent(List.of(name, type, step), unknown -> Timer.builder(name)
                .tags(step.isEmpty() ? Tags.empty() : Tags.of("step", step))
                .tag("sagaType", type)
                .publishPercentileHistogram()
                .register(registry));
    }
}
