package io.holdfast.processing.segment;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.event.EventMessage;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.parking.BoundComponent;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The components that get a segment's events, by the definition that the segment was opened with. It includes stand-ins
 * for components that this version lacks: their events are parked for a version that has them. Immutable.
 */
public final class SegmentComponents {

    private final ProcessorContext context;
    private final ProcessorDefinition definition;
    private final List<BoundComponent> components;

    /** @param retired ids of components that this version has retired; they may still have letters */
    public SegmentComponents(ProcessorContext context, ProcessorDefinition definition, Set<String> retired) {
        this.context = context;
        this.definition = definition;
        this.components = new ArrayList<>(context.handlers().components());
        Set<String> lacking = new TreeSet<>(definition.components().keySet());
        lacking.addAll(retired);
        components.forEach(component -> lacking.remove(component.id()));
        lacking.forEach(id -> components.add(context.handlers().component(id)));
    }

    List<BoundComponent> all() {
        return components;
    }

    /**
     * Returns the component's task for an event; empty if no registered version handles the event. A task that this
     * version cannot perform fails when it is its turn.
     */
    Optional<HandlerTask> task(BoundComponent component, SequencedEvent event) {
        if (handlesHere(component, event.event())) {
            return Optional.of(new HandlerTask(event, component, null));
        }
        return definition.covers(component.id(), event.event())
                ? Optional.of(new HandlerTask(event, component, unsupported(component, event.event())))
                : Optional.empty();
    }

    /**
     * Returns why this version cannot handle a letter; null if it can. A letter that no version handles any more is
     * resolved without effects, unless it has failed before: then an operator decides.
     */
    @Nullable
    Throwable refusal(BoundComponent component, DeadLetter letter) {
        EventMessage event = letter.message();
        if (handlesHere(component, event)) {
            return null;
        }
        if (definition.covers(component.id(), event)) {
            return unsupported(component, event);
        }
        return letter.attempts().isEmpty() ? null : retired(component, event);
    }

    /** Returns whether this version settles the first letter of a sequence that awaits another version. */
    boolean settles(ParkedSequence sequence) {
        String awaits = sequence.awaits();
        if (awaits == null || awaits.equals(ParkedSequence.ANY_VERSION)) {
            return true;
        }
        return settles(own(sequence.id().component()), awaits)
                || !settles(definition.components().get(sequence.id().component()), awaits);
    }

    private static boolean settles(@Nullable ComponentDefinition component, String awaits) {
        return component != null && component.coversAwaited(awaits);
    }

    private @Nullable ComponentDefinition own(String id) {
        return context.definition().components().get(id);
    }

    private boolean handlesHere(BoundComponent component, EventMessage event) {
        return component.handles(event, context.handlers().codec());
    }

    private UnsupportedHereException unsupported(BoundComponent component, EventMessage event) {
        Optional<ComponentDefinition> known = definition.find(component.id());
        String here = "component " + component.id() + " of version "
                + context.identity().version();
        if (!component.wants(event)) {
            return new UnsupportedHereException(
                    here + " skips events " + sagaOf(event) + ", which version "
                            + version(known.map(found -> found.sagaRegisteredBy(event))) + " handles",
                    "Run that version, or a later one, or declare them with retiresSagaTypes.");
        }
        return new UnsupportedHereException(
                here + " has no handler of event type " + event.type() + ", which version "
                        + version(known.map(found -> found.registeredBy(event.payload()))) + " has registered",
                "Run that version, or a later one, or declare the type or the component as retired.");
    }

    private static String version(Optional<String> registeredBy) {
        return registeredBy.filter(version -> !version.isEmpty()).orElse("an earlier release");
    }

    private static PermanentException retired(BoundComponent component, EventMessage event) {
        String what = component.wants(event)
                ? "event type " + event.type() + " of component " + component.id() + " was retired"
                : "handling events " + sagaOf(event) + " in component " + component.id() + " was retired";
        return new PermanentException(
                what + " after this event had failed; discard the letter, or deploy a version with"
                        + " a handler and replay it");
    }

    private static String sagaOf(EventMessage event) {
        return event.metadata().sagaType().map(type -> "of saga type " + type).orElse("without a saga");
    }
}
