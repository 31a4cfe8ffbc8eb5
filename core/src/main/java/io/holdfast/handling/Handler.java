package io.holdfast.handling;

/**
 * Handles events of one type.
 *
 * @param <E> the payload type, as this service decodes it
 */
@FunctionalInterface
public interface Handler<E> {

    /** Handles an event. If it throws, the effects of this call are dropped, and no others. */
    void handle(E event, EventContext context);
}
