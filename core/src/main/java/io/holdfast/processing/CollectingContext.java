package io.holdfast.processing;

import io.holdfast.aggregate.Decision;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.view.RowUpdate;
import io.holdfast.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects the effects of one handler's run. */
final class CollectingContext implements EventContext {

    private final EventMessage event;
    private final PartId id;
    private final List<Decision> decisions = new ArrayList<>();
    private final List<RowUpdate<?>> rowUpdates = new ArrayList<>();

    CollectingContext(EventMessage event, PartId id) {
        this.event = event;
        this.id = id;
    }

    @Override
    public EventMessage event() {
        return event;
    }

    @Override
    public void decide(Decision decision) {
        decisions.add(decision);
    }

    @Override
    public <R> void update(View<R> view, String key, UnaryOperator<@Nullable R> change) {
        rowUpdates.add(new RowUpdate<>(view, key, change));
    }

    @Override
    public String idempotencyKey() {
        return id.eventId(0).toString();
    }

    Part part(Metadata inherited) {
        return new Part(id, inherited, decisions, rowUpdates, false);
    }
}
