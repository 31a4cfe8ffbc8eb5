package io.holdfast.admin.saga;

import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Finds out whether a saga has ended, at whichever service that tracks it. Thread-safe. */
public final class SagaEndings implements EndpointRegistrar {

    /** A tracker that does not answer in time must not prevent a repair. */
    static final Duration TIMEOUT = Duration.ofMillis(500);

    private static final Endpoint<Question, Answer> STATUS =
            new Endpoint<>("saga.status", Question.class, Answer.class);

    private final ServiceGateway gateway;
    private final SagaStateStore sagas;

    public SagaEndings(ServiceGateway gateway, SagaStateStore sagas) {
        this.gateway = gateway;
        this.sagas = sagas;
    }

    record Question(String sagaId) {}

    /** @param status null if the service does not track the saga */
    record Answer(@Nullable SagaStatus status) {}

    /**
     * The status of a saga.
     *
     * @param status empty if no service that has answered tracks the saga
     * @param isComplete whether all services have answered
     */
    public record Ending(Optional<SagaStatus> status, boolean isComplete) {

        /** Returns whether the tracker has answered, or none of the services is one. */
        public boolean isKnown() {
            return status.isPresent() || isComplete;
        }

        /** Returns the final status; empty if the saga runs, or if that is unknown. */
        public Optional<SagaStatus> ended() {
            return status.filter(SagaStatus::isFinal);
        }
    }

    /**
     * The service that tracks a saga.
     *
     * @param service empty if no service that has answered tracks it
     * @param incomplete the services that have not answered
     */
    public record Tracker(Optional<String> service, List<String> incomplete) {}

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(
                STATUS,
                (operator, question) -> new Answer(sagas.find(question.sagaId())
                        .map(saga -> saga.state().status())
                        .orElse(null)));
    }

    public CompletableFuture<Ending> find(String sagaId, Operator operator) {
        return gateway.gather(STATUS, operator, new Question(sagaId), name -> true, TIMEOUT)
                .thenApply(answers -> new Ending(
                        answers.answers().values().stream()
                                .map(Answer::status)
                                .filter(Objects::nonNull)
                                .findFirst(),
                        answers.incomplete().isEmpty()));
    }

    /** Finds the service that tracks a saga. */
    public CompletableFuture<Tracker> findTracker(String sagaId, Operator operator) {
        return gateway.gather(STATUS, operator, new Question(sagaId), name -> true)
                .thenApply(answers -> new Tracker(
                        answers.answers().entrySet().stream()
                                .filter(answer -> answer.getValue().status() != null)
                                .map(Map.Entry::getKey)
                                .findFirst(),
                        answers.incomplete()));
    }
}
