package io.holdfast.saga.tracking;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.group.AppendInterceptor;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.EventMeaning;
import io.holdfast.saga.SagaEvent;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes the metadata of every event that a saga declares with its step, and records in the service that tracks the
 * saga. Events that this service appends are recorded in the unit that appends them, so the row is there when the caller
 * gets a response. Thread-safe.
 */
public final class SagaRecorder implements AppendInterceptor {

    private final String service;
    private final Choreographies types;
    private final SagaSettings settings;
    private final View<SagaState> view;
    private final Supplier<Instant> deadlineTime;

    /** @param deadlineTime the clock on which deadlines are set */
    public SagaRecorder(String service, Choreographies types, SagaSettings settings, Supplier<Instant> deadlineTime) {
        this.service = service;
        this.types = types;
        this.settings = settings;
        this.view = SagaView.of(settings);
        this.deadlineTime = deadlineTime;
    }

    @Override
    public Collection<RowKey> rows(Metadata context) {
        return findTracked(context).isEmpty()
                ? List.of()
                : List.of(new RowKey(SagaView.NAME, context.sagaId().orElseThrow()));
    }

    @Override
    public Metadata complete(String eventType, Metadata metadata) {
        return metadata.sagaType()
                .flatMap(type -> types.findMeaning(type, eventType))
                .map(meaning -> metadata.withStep(meaning.stepNumber(), meaning.compensating()))
                .orElse(metadata);
    }

    @Override
    public void appended(EventDraft event, DecisionContext decision) {
        Optional<Choreography> type = findTracked(event.metadata());
        if (type.isPresent()) {
            String saga = event.metadata().sagaId().orElseThrow();
            SagaState before = decision.row(view, saga);
            SagaState after = record(
                    type.get(),
                    before,
                    event.id(),
                    event.key().key(),
                    event.metadata(),
                    event.occurredAt(),
                    event.payload());
            if (!Objects.equals(before, after)) {
                decision.put(view, saga, after);
            }
        }
    }

    /** Returns the row of a saga after an event that was read from a stream. */
    @Nullable
    SagaState record(@Nullable SagaState before, EventMessage event) {
        return findTracked(event.metadata())
                .map(type -> record(
                        type, before, event.id(), event.key(), event.metadata(), event.occurredAt(), event.payload()))
                .orElse(before);
    }

    /** Returns whether the event was recorded in the unit that appended it. Only then does it name its step. */
    boolean hasRecorded(EventMessage event) {
        return event.source().equals(service) && event.metadata().stepNumber().isPresent();
    }

    /** Returns the type of the saga that an event belongs to, if this service tracks it. */
    Optional<Choreography> findTracked(Metadata metadata) {
        return metadata.sagaId().isEmpty()
                ? Optional.empty()
                : metadata.sagaType().flatMap(types::find).filter(type -> type.tracker()
                        .equals(service));
    }

    private @Nullable SagaState record(
            Choreography type,
            @Nullable SagaState before,
            UUID id,
            String key,
            Metadata metadata,
            Instant at,
            Payload payload) {
        Optional<EventMeaning> meaning = type.findMeaning(payload.type());
        if (meaning.isEmpty()) {
            return before;
        }
        SagaEvent event = new SagaEvent(
                metadata.sagaId().orElseThrow(),
                payload.type(),
                id,
                key,
                metadata.correlationId().orElse(null),
                at,
                FailureReasons.find(meaning.get(), payload));
        return type.record(before, event, timeLimit(type, at));
    }

    /** Returns the time from the event to the deadline. The event's clock may differ from the one of deadlines. */
    private Duration timeLimit(Choreography type, Instant at) {
        return Duration.between(at, deadlineTime.get().plus(settings.deadlineOf(type)));
    }
}
