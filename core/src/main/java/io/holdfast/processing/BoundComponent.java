package io.holdfast.processing;

import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.worker.UserFailures;

/** A component under its stable id. */
record BoundComponent(Component component, String id) {

    /** Whether the event is for it. One whose payload cannot be brought up to date is, so that it is parked. */
    boolean wants(EventMessage event, PayloadCodec codec) {
        try {
            return component.handles(codec.upcast(event.payload()));
        } catch (Throwable e) {
            UserFailures.survivable(e);
            return true;
        }
    }
}
