package io.holdfast.admin.saga;

import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaStep;
import java.time.Duration;
import java.util.List;

/**
 * A declared saga type.
 *
 * @param service the service that tracks its sagas
 * @param streams the streams that contain their events
 * @param deadlineMs how long a saga may take, in milliseconds, as this service is configured
 * @param steps the declared steps, by their number
 */
public record SagaTypeDetails(
        String sagaType, SagaKind kind, String service, List<String> streams, long deadlineMs, List<SagaStep> steps) {

    static SagaTypeDetails of(Choreography type, Duration deadline) {
        return new SagaTypeDetails(
                type.type(), SagaKind.CHOREOGRAPHED, type.tracker(), type.streams(), deadline.toMillis(), type.steps());
    }
}
