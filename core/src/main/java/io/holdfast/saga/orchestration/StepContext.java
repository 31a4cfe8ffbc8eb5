package io.holdfast.saga.orchestration;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.Metadata;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The context of a decision that performs a step: its events carry the saga and the step. */
final class StepContext implements DecisionContext {

    private final DecisionContext decision;
    private final Metadata step;

    StepContext(DecisionContext decision, Metadata step) {
        this.decision = decision;
        this.step = step;
    }

    @Override
    public <S> S state(AggregateType<S> type, String key) {
        return decision.state(type, key);
    }

    @Override
    public long version(AggregateType<?> type, String key) {
        return decision.version(type, key);
    }

    @Override
    public <S> UUID append(AggregateType<S> type, String key, Object event, Metadata metadata) {
        return decision.append(type, key, event, metadata.withDefaults(step));
    }

    @Override
    public <R> @Nullable R row(View<R> view, String key) {
        return decision.row(view, key);
    }

    @Override
    public <R> void put(View<R> view, String key, @Nullable R row) {
        decision.put(view, key, row);
    }

    @Override
    public void schedule(String name, String key, Duration delay, Object event) {
        decision.schedule(name, key, delay, event);
    }

    @Override
    public void schedule(String name, String key, Instant dueAt, Object event) {
        decision.schedule(name, key, dueAt, event);
    }

    @Override
    public void cancel(String name, String key) {
        decision.cancel(name, key);
    }

    @Override
    public Instant now() {
        return decision.now();
    }
}
