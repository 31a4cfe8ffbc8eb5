package io.holdfast.handling;

import io.holdfast.deadletter.DeadLetter;

/**
 * Handles an event that finally failed: it is not retryable, or its attempts are used up. It runs where the event would
 * become PENDING, once per final failure. Its effects are committed as the effects of the event, together with the
 * position; the effects of the failed handler are dropped.
 *
 * <p>A recovery runs on a thread of the engine. It must not block, and it must be pure apart from its context, because
 * the engine calls it again if a crash prevents the commit. Calls to external systems belong in handlers.
 *
 * <p>If the recovery or one of its decisions throws, the event becomes PENDING. A replay calls the handler again, and
 * the recovery if that finally fails again.
 */
@FunctionalInterface
public interface Recovery {

    /**
     * Adds the effects that replace those of the handler.
     *
     * @param context a new context, without effects of the failed handler. It has the {@link DeadLetter} if the event
     *     was parked, and no resource
     * @param failure why the event finally failed
     */
    void recover(EventContext context, Throwable failure) throws Exception;
}
