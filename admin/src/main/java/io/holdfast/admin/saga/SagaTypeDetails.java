package io.holdfast.admin.saga;

import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaStep;
import io.holdfast.saga.orchestration.SagaDefinition;
import java.time.Duration;
import java.util.List;

/**
 * A declared saga type.
 *
 * @param service the service that tracks or runs its sagas
 * @param streams the streams that contain their events, or the replies to their commands
 * @param deadlineMs how long a saga may take, in milliseconds, as this service is configured
 * @param steps the declared steps, by their number
 */
public record SagaTypeDetails(
        String sagaType, SagaKind kind, String service, List<String> streams, long deadlineMs, List<SagaStep> steps) {

    static SagaTypeDetails of(Choreography type, Duration deadline) {
        return new SagaTypeDetails(
                type.type(), SagaKind.CHOREOGRAPHED, type.tracker(), type.streams(), deadline.toMillis(), type.steps());
    }

    static SagaTypeDetails of(SagaDefinition<?> definition, String service, Duration deadline) {
        return new SagaTypeDetails(
                definition.name(),
                SagaKind.ORCHESTRATED,
                service,
                List.copyOf(definition.streams()),
                deadline.toMillis(),
                definition.describeSteps(service));
    }
}
