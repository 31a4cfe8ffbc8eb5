package io.holdfast.saga.tracking;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Judges one saga whose deadline has passed, on the newest row: suspends it, gives it its full time again, or times it
 * out together with its local compensation. Does nothing if the saga has moved on since it was found.
 */
final class TimeoutDecision implements Decision {

    private static final Duration FIRST_RECHECK = Duration.ofSeconds(15);
    private static final Duration MAX_RECHECK = Duration.ofMinutes(5);

    private final String sagaId;
    private final Collection<AggregateKey> keys;
    private final JudgedSagas type;
    private final SagaSettings settings;
    private final View<SagaState> view;
    private final ParkedSagas parked;
    private final Instant now;

    /** @param keys what the local compensation probably reads */
    TimeoutDecision(
            String sagaId,
            Collection<AggregateKey> keys,
            JudgedSagas type,
            SagaSettings settings,
            ParkedSagas parked,
            Instant now) {
        this.sagaId = sagaId;
        this.keys = keys;
        this.type = type;
        this.settings = settings;
        this.view = SagaView.of(settings);
        this.parked = parked;
        this.now = now;
    }

    @Override
    public Collection<RowKey> rows() {
        return List.of(new RowKey(SagaView.NAME, sagaId));
    }

    @Override
    public Collection<AggregateKey> keys() {
        return keys;
    }

    @Override
    public void decide(DecisionContext context) {
        SagaState saga = context.row(view, sagaId);
        if (saga == null || !isDue(saga)) {
            return;
        }
        if (isSuspendedTooLong(saga)) {
            type.timeOut(saga, context, now);
        } else if (!parked.of(saga).isEmpty()) {
            context.put(view, sagaId, saga.suspended(parked.of(saga), now));
        } else if (parked.lastAnswerStands(saga)) {
            context.put(view, sagaId, saga.unanswered(now));
        } else if (isSuspended(saga)) {
            context.put(view, sagaId, type.resumed(saga, now));
        } else {
            type.timeOut(saga, context, now);
        }
    }

    private boolean isDue(SagaState saga) {
        Instant due = saga.status().isOpen() ? saga.nextDue(settings.retention()) : null;
        return due != null && !due.isAfter(now);
    }

    private static boolean isSuspended(SagaState saga) {
        return saga.deadline() != null && saga.deadline().suspended() != null;
    }

    private boolean isSuspendedTooLong(SagaState saga) {
        return saga.deadline() != null
                && saga.deadline().suspended() != null
                && saga.deadline().suspended().exceeds(settings.maxSuspended(), now);
    }

    /** Returns when a saga is judged again that could not be compensated: after a delay that doubles. */
    static Instant recheckAt(SagaState saga, Instant now) {
        int judgements = saga.deadline() == null ? 0 : Math.min(saga.deadline().judgements(), 10);
        Duration delay = FIRST_RECHECK.multipliedBy(1L << judgements);
        return now.plus(delay.compareTo(MAX_RECHECK) < 0 ? delay : MAX_RECHECK);
    }
}
