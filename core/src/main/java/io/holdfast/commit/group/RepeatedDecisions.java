package io.holdfast.commit.group;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Compares a part's decisions with the events that they appended in an earlier generation. These events are facts, and
 * the decisions do not append them again. But if the component's code has changed, a reset must not ignore silently
 * what it would append now.
 *
 * <p>Only decisions that read no state can be compared: on today's state, the others may rightly decide something else
 * than they did then. They are stopped at their first read.
 */
final class RepeatedDecisions implements DecisionContext {

    private final Part part;
    private final PayloadCodec codec;
    private final Instant now;
    private final List<String> appended = new ArrayList<>();
    private boolean readsState;

    RepeatedDecisions(Part part, PayloadCodec codec, Instant now) {
        this.part = part;
        this.codec = codec;
        this.now = now;
    }

    /**
     * Runs the decisions and drops their events.
     *
     * @throws PermanentException if they append other events than before
     */
    void requireSame(List<EventMessage> stored) {
        try {
            for (Decision decision : part.decisions()) {
                decision.decide(this);
            }
        } catch (RuntimeException e) {
            if (!readsState) {
                throw e;
            }
        }
        List<String> before = stored.stream()
                .map(event -> describe(codec.upcast(event.payload()).type(), event.stream(), event.key()))
                .toList();
        if (!readsState && !appended.equals(before)) {
            throw new PermanentException("component " + part.id().component() + " has appended " + before
                    + " for the event " + part.id().cause() + " before, and would append " + appended
                    + " now. Committed events do not change, so nothing was committed. Let the component append the"
                    + " same events again, or handle the stream with a component of another name");
        }
    }

    @Override
    public <S> S state(AggregateType<S> type, String key) {
        throw stop();
    }

    @Override
    public long version(AggregateType<?> type, String key) {
        throw stop();
    }

    @Override
    public <S> UUID append(AggregateType<S> type, String key, Object event, Metadata metadata) {
        UUID id = part.id().eventId(appended.size());
        appended.add(describe(codec.encode(event).type(), type.stream(), key));
        return id;
    }

    @Override
    public <R> @Nullable R row(View<R> view, String key) {
        throw stop();
    }

    @Override
    public <R> void put(View<R> view, String key, @Nullable R row) {
        // only events are compared
    }

    @Override
    public void schedule(String name, String key, Duration delay, Object event) {
        // only events are compared
    }

    @Override
    public void schedule(String name, String key, Instant dueAt, Object event) {
        // only events are compared
    }

    @Override
    public void cancel(String name, String key) {
        // only events are compared
    }

    @Override
    public Instant now() {
        return now;
    }

    private static String describe(String eventType, String stream, String key) {
        return eventType + " to " + stream + "/" + key;
    }

    private RuntimeException stop() {
        readsState = true;
        return new PermanentException("the decision depends on state and is not compared");
    }
}
