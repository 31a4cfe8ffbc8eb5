package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.view.View;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a component that only keeps the rows of one view. A component that keeps several, or does more, says so by
 * {@link EventContext#update}.
 *
 * <p>The rows are beside the position of the processor, so each event changes them once, however often it is delivered. A
 * reset is something else: it handles the events again, onto the rows that are there. Only changes that, done twice, are
 * as done once may be declared {@link Component.Builder#resettable}: setting a total is, adding to it is not.
 *
 * <p>Changes are pure functions, run by the committer on the newest row, maybe more than once. A null row means that there
 * is none, both in and out.
 *
 * @param <R> the row
 */
public final class Projection<R> {

    private final View<R> view;
    private final String name;
    private final Component.Builder component;

    private Projection(String name, View<R> view) {
        this.view = view;
        this.name = name;
        this.component = Component.named(name);
    }

    /** The component has the name of its view. */
    public static <R> Projection<R> of(View<R> view) {
        return of(view.name(), view);
    }

    /** @param name that of the component, which stays the same */
    public static <R> Projection<R> of(String name, View<R> view) {
        return new Projection<>(name, view);
    }

    /**
     * An event changes one row.
     *
     * @param key the row's key, from the payload
     */
    public <E> Projection<R> on(Class<E> eventType, Function<? super E, String> key, Change<R, ? super E> change) {
        return on(eventType, key, change.ignoringMessage());
    }

    /**
     * An event changes one row, by what it says beside the payload too: its time, its sequence, its metadata.
     *
     * @param key the row's key, from the payload
     */
    public <E> Projection<R> on(
            Class<E> eventType, Function<? super E, String> key, MessageChange<R, ? super E> change) {
        component.on(eventType, (event, context) -> update(key.apply(event), event, change, context));
        return this;
    }

    /** An event changes the row that has its own key: that of its aggregate. */
    public <E> Projection<R> on(Class<E> eventType, Change<R, ? super E> change) {
        return on(eventType, change.ignoringMessage());
    }

    /** An event changes the row that has its own key, by what it says beside the payload too. */
    public <E> Projection<R> on(Class<E> eventType, MessageChange<R, ? super E> change) {
        component.on(eventType, (event, context) -> update(context.event().key(), event, change, context));
        return this;
    }

    /** The component, to be built as it is or after more is said about it. */
    public Component.Builder component() {
        return component;
    }

    private <E> void update(@Nullable String key, E event, MessageChange<R, ? super E> change, EventContext context) {
        EventMessage message = context.event();
        if (key == null) {
            throw new PermanentException("projection " + name + " has no row key for " + message.type() + " "
                    + message.id() + "; where an event may change no row, use a plain component");
        }
        context.update(view, key, row -> change.apply(row, event, message));
    }

    /** From the row and the event to the new row. */
    @FunctionalInterface
    public interface Change<R, E> {

        @Nullable
        R apply(@Nullable R row, E event);

        private MessageChange<R, E> ignoringMessage() {
            return (row, event, message) -> apply(row, event);
        }
    }

    /** From the row, the event and what stands around it to the new row. */
    @FunctionalInterface
    public interface MessageChange<R, E> {

        @Nullable
        R apply(@Nullable R row, E event, EventMessage message);
    }
}
