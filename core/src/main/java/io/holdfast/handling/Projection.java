package io.holdfast.handling;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.view.View;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a component that only maintains the rows of one view. A component that maintains several views, or does more,
 * calls {@link EventContext#update} directly.
 *
 * <p>The rows are stored next to the processor's position, so each event changes them exactly once, however often it is
 * delivered. A reset is different: it handles the events again, on the existing rows. Declare the component {@link
 * Component.Builder#resettable} only if all changes are idempotent: setting a total is, adding to it is not.
 *
 * <p>Changes are pure functions. The committer runs them on the newest row, possibly more than once. Null stands for a
 * missing row, as argument and as result.
 *
 * @param <R> the row type
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

    /** Returns a projection whose component has the name of the view. */
    public static <R> Projection<R> of(View<R> view) {
        return of(view.name(), view);
    }

    /** @param name the name of the component, which must not change */
    public static <R> Projection<R> of(String name, View<R> view) {
        return new Projection<>(name, view);
    }

    /**
     * Registers a change of one row.
     *
     * @param key returns the row's key, from the payload
     */
    public <E> Projection<R> on(Class<E> eventType, Function<? super E, String> key, Change<R, ? super E> change) {
        return on(eventType, key, change.ignoringMessage());
    }

    /**
     * Registers a change of one row that also depends on the event's time, version or metadata.
     *
     * @param key returns the row's key, from the payload
     */
    public <E> Projection<R> on(
            Class<E> eventType, Function<? super E, String> key, MessageChange<R, ? super E> change) {
        component.on(eventType, (event, context) -> update(key.apply(event), event, change, context));
        return this;
    }

    /** Registers a change of the row that has the event's own key, that of its aggregate. */
    public <E> Projection<R> on(Class<E> eventType, Change<R, ? super E> change) {
        return on(eventType, change.ignoringMessage());
    }

    /**
     * Registers a change of the row that has the event's own key, which also depends on the event's time, version or
     * metadata.
     */
    public <E> Projection<R> on(Class<E> eventType, MessageChange<R, ? super E> change) {
        component.on(eventType, (event, context) -> update(context.event().key(), event, change, context));
        return this;
    }

    /** Returns the builder of the component, for further settings. */
    public Component.Builder component() {
        return component;
    }

    private <E> void update(@Nullable String key, E event, MessageChange<R, ? super E> change, EventContext context) {
        EventMessage message = context.event();
        if (key == null) {
            throw new PermanentException("projection " + name + " has no row key for " + message.type() + " "
                    + message.id() + "; use a plain component if an event may change no row");
        }
        context.update(view, key, row -> change.apply(row, event, message));
    }

    /** Computes the new row from the row and the event's payload. */
    @FunctionalInterface
    public interface Change<R, E> {

        @Nullable
        R apply(@Nullable R row, E event);

        private MessageChange<R, E> ignoringMessage() {
            return (row, event, message) -> apply(row, event);
        }
    }

    /** Computes the new row from the row, the event's payload and the whole event. */
    @FunctionalInterface
    public interface MessageChange<R, E> {

        @Nullable
        R apply(@Nullable R row, E event, EventMessage message);
    }
}
