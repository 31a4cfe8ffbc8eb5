package io.holdfast.processing;

import io.holdfast.deadletter.QueueSettings;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.worker.UserFailures;

/**
 * A component of a processor, with its stable id.
 *
 * @param queue the settings of its dead-letter queue
 * @param queueName {@code DeadLetterQueue[processor][component]}
 */
record BoundComponent(Component component, String id, QueueSettings queue, String queueName) {

    /**
     * Returns whether the component handles the event. An event that cannot be upcast counts as handled, so that it is
     * parked.
     */
    boolean handles(EventMessage event, PayloadCodec codec) {
        try {
            return component.handles(codec.upcast(event.payload()));
        } catch (Throwable e) {
            UserFailures.throwIfFatal(e);
            return true;
        }
    }
}
