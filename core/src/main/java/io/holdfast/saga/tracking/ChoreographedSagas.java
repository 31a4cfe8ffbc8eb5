package io.holdfast.saga.tracking;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaCancellation;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The sagas of one choreographed type: a timeout commits together with the local compensation. */
final class ChoreographedSagas implements JudgedSagas {

    private final String service;
    private final Choreography type;
    private final SagaSettings settings;
    private final Set<String> ownedStreams;
    private final View<SagaState> view;

    ChoreographedSagas(String service, Choreography type, SagaSettings settings, Set<String> ownedStreams) {
        this.service = service;
        this.type = type;
        this.settings = settings;
        this.ownedStreams = ownedStreams;
        this.view = SagaView.of(settings);
    }

    @Override
    public String type() {
        return type.type();
    }

    @Override
    public Collection<String> streams() {
        return type.streams();
    }

    @Override
    public Collection<String> participants() {
        return type.services().stream()
                .filter(participant -> !participant.equals(service))
                .toList();
    }

    @Override
    public boolean isSuspendedBy(SagaLetter own) {
        return true;
    }

    @Override
    public Duration timeLimit() {
        return settings.deadlineOf(type);
    }

    /** Returns the keys in the streams of this service that the local compensation probably reads. */
    @Override
    public Collection<AggregateKey> keys(SagaState saga) {
        return type.streams().stream()
                .filter(stream -> ownedStreams.contains(stream) && !saga.key().isEmpty())
                .map(stream -> new AggregateKey(stream, saga.key()))
                .toList();
    }

    @Override
    public void timeOut(SagaState saga, DecisionContext context, Instant now) {
        SagaState timedOut = saga.timedOut(now);
        context.put(view, saga.sagaId(), timedOut);
        Optional<SagaCancellation> cancellation = type.findCancellation();
        if (settings.autoCompensate() && cancellation.isPresent()) {
            cancel(cancellation.get(), timedOut, context);
            SagaState cancelled = context.row(view, saga.sagaId());
            if (cancelled == null || cancelled.compensatingSince().isEmpty()) {
                context.put(view, saga.sagaId(), saga.notCancelled(TimeoutDecision.recheckAt(saga, now)));
            }
        }
    }

    @Override
    public SagaState resumed(SagaState saga, Instant now) {
        return saga.resumed(now, timeLimit());
    }

    /** The engine retries a retryable failure at once, but this one would happen again. */
    private static void cancel(SagaCancellation cancellation, SagaState saga, DecisionContext context) {
        try {
            cancellation.cancel(saga, context);
        } catch (UnsupportedHereException e) {
            throw e; // a replica of a newer version can judge it
        } catch (RetryableException e) {
            throw new PermanentException(e.toString(), e);
        }
    }

    static List<JudgedSagas> all(
            String service, Collection<Choreography> types, SagaSettings settings, Set<String> ownedStreams) {
        return types.stream()
                .<JudgedSagas>map(type -> new ChoreographedSagas(service, type, settings, ownedStreams))
                .toList();
    }
}
