package io.holdfast.handling;

import java.util.concurrent.CompletionStage;

/**
 * Handles events of one type asynchronously. Later events of the sequence wait until the stage completes; events of
 * other sequences do not.
 *
 * @param <E> the payload type, as this service decodes it
 */
@FunctionalInterface
public interface AsyncHandler<E> {

    /**
     * Starts to handle an event. Effects may be added from any thread until the stage completes.
     *
     * @return the stage that completes when the event is handled, exceptionally if it could not be handled
     */
    CompletionStage<?> handle(E event, EventContext context);
}
