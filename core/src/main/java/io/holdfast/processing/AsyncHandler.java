package io.holdfast.processing;

import java.util.concurrent.CompletionStage;

/**
 * Handles events of one type by work that ends later. Until it has ended no later event of the sequence is handled; events
 * of other sequences are.
 *
 * @param <E> the payload, as this service reads it
 */
@FunctionalInterface
public interface AsyncHandler<E> {

    /**
     * Effects may be said until the stage has completed, from any thread.
     *
     * @return completes when the event is handled, exceptionally if it could not be
     */
    CompletionStage<?> handle(E event, EventContext context);
}
