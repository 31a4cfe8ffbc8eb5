package io.holdfast.processing;

import io.holdfast.deadletter.QueueSettings;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.worker.UserFailures;

/**
 * A component under its stable id.
 *
 * @param queue how what it fails at is parked
 * @param queueName {@code DeadLetterQueue[processor][component]}
 */
record BoundComponent(Component component, String id, QueueSettings queue, String queueName) {

    /** Whether the event is for it. One whose payload cannot be brought up to date is, so that it is parked. */
    boolean handles(EventMessage event, PayloadCodec codec) {
        try {
            return component.handles(codec.upcast(event.payload()));
        } catch (Throwable e) {
            UserFailures.throwIfFatal(e);
            return true;
        }
    }
}
