package io.holdfast.tck.harness;

import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.Component;
import io.holdfast.processing.segment.CollectingContext;
import io.holdfast.token.TokenAdvance;
import io.holdfast.view.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A commit unit with one part, for tests outside the kits: {@link EngineUnderTest} commits it. Immutable. */
public final class SinglePart {

    private final Part part;
    private final @Nullable TokenAdvance advance;

    private SinglePart(Part part, @Nullable TokenAdvance advance) {
        this.part = part;
        this.advance = advance;
    }

    /** @param component the id of the component that causes the part; a part is identified by it and its cause */
    public static SinglePart of(UUID cause, String component, Metadata context, Decision decision) {
        return new SinglePart(Part.of(new PartId(cause, component), context, decision), null);
    }

    /** Returns the effects that a component has on an event, or nothing if it has no handler for it. */
    public static Optional<SinglePart> ofHandler(
            Component component, EventMessage event, String componentId, PayloadCodec codec) {
        return CollectingContext.collect(component, event, componentId, codec).map(part -> new SinglePart(part, null));
    }

    /** Returns the same part, which also updates a row. */
    public <R> SinglePart updating(View<R> view, String key, UnaryOperator<@Nullable R> change) {
        List<RowUpdate<?>> updates = List.of(new RowUpdate<>(view, key, change));
        return new SinglePart(
                new Part(part.id(), part.context(), part.decisions(), updates, part.repeatable()), advance);
    }

    /** Returns the same part in a unit that advances a token. */
    public SinglePart advancing(TokenAdvance newAdvance) {
        return new SinglePart(part, newAdvance);
    }

    /** Returns the same part, which is looked up before it is decided. */
    public SinglePart asRepeatable() {
        return new SinglePart(part.asRepeatable(), advance);
    }

    /** Returns the id of the first event that the part appends. */
    public UUID eventId() {
        return part.id().eventId(0);
    }

    CommitUnit unit() {
        return advance == null ? CommitUnit.of(part) : CommitUnit.of(List.of(part), advance);
    }

    /** What became of the part. */
    public enum Outcome {
        COMMITTED,
        /** It had been committed before. */
        DUPLICATE,
        REJECTED
    }
}
