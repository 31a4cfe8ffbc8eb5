package io.holdfast.processing;

/**
 * Handles events of one type.
 *
 * @param <E> the payload, as this service reads it
 */
@FunctionalInterface
public interface Handler<E> {

    /** Throwing drops the effects of this call and nobody else's. */
    void handle(E event, EventContext context);
}
