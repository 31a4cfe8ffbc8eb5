package io.holdfast.processing.segment;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.parking.BoundComponent;
import io.holdfast.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects the effects of one handler call until it ends. Thread-safe. */
public final class CollectingContext implements EventContext {

    private final EventMessage event;
    private final PartId id;
    private final @Nullable DeadLetter letter;
    private final @Nullable UnitTransaction transaction;
    private final List<Decision> decisions = new ArrayList<>();
    private final List<RowUpdate<?>> rowUpdates = new ArrayList<>();
    private boolean closed;

    public CollectingContext(
            EventMessage event, PartId id, @Nullable DeadLetter letter, @Nullable UnitTransaction transaction) {
        this.event = event;
        this.id = id;
        this.letter = letter;
        this.transaction = transaction;
    }

    /**
     * Calls the handler of an event, waits for it if it is asynchronous, and returns its effects: without a processor,
     * in one step.
     *
     * @param componentId the component's stable id
     * @return the effects; empty if the component does not handle the event: its type or its saga
     */
    public static Optional<Part> collect(
            Component component, EventMessage event, String componentId, PayloadCodec codec) {
        BoundComponent bound = BoundComponent.bind(component, componentId, componentId, QueueSettings.DEFAULT);
        if (!bound.handles(event, codec)) {
            return Optional.empty();
        }
        CollectingContext context = new CollectingContext(event, new PartId(event.id(), componentId), null, null);
        try {
            CompletionStage<?> stage = bound.invoke(event, codec, context);
            if (stage != null) {
                stage.toCompletableFuture().join();
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
        return Optional.of(context.close());
    }

    @Override
    public EventMessage event() {
        return event;
    }

    @Override
    public Optional<DeadLetter> deadLetter() {
        return Optional.ofNullable(letter);
    }

    @Override
    public synchronized void decide(Decision decision) {
        requireOpen();
        decisions.add(decision);
    }

    @Override
    public synchronized <R> void update(View<R> view, String key, UnaryOperator<@Nullable R> change) {
        requireOpen();
        rowUpdates.add(new RowUpdate<>(view, key, change));
    }

    @Override
    public <T> T resource(Class<T> type) {
        if (transaction == null) {
            throw new PermanentException("component " + id.component() + " has no transaction for application rows;"
                    + " declare where its rows are with rowsIn(…)");
        }
        return transaction.resource(type);
    }

    @Override
    public String idempotencyKey() {
        return id.eventId(0).toString();
    }

    /** Closes the context and returns the collected effects. Later effects are rejected. */
    public synchronized Part close() {
        closed = true;
        return new Part(id, inherited(event), decisions, rowUpdates, false);
    }

    /** Rejects late effects, which would otherwise be lost silently. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the handling of " + event.type() + " " + event.id() + " by " + id.component()
                            + " has ended; add effects before the handler returns, or before its stage completes");
        }
    }

    /** Returns the metadata that events caused by this event inherit. */
    private static Metadata inherited(EventMessage event) {
        Metadata metadata =
                event.metadata().inheritable().withCausationId(event.id().toString());
        return metadata.correlationId().isPresent()
                ? metadata
                : metadata.withCorrelationId(event.id().toString());
    }
}
