package io.holdfast.saga.tracking;

import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.RowChange;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaTimedOutEvent;
import io.holdfast.saga.SagaView;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connects the parts that track the sagas of one service to its committer. */
public final class SagaTracking {

    private final String service;
    private final Choreographies types;
    private final SagaSettings settings;
    private final List<Choreography> tracked;

    public SagaTracking(String service, Choreographies types, SagaSettings settings) {
        this.service = service;
        this.types = types;
        this.settings = settings;
        this.tracked = types.trackedBy(service);
    }

    /** Returns the sagas that this service tracks. */
    public List<Choreography> tracked() {
        return tracked;
    }

    /**
     * Counts committed changes, reports timeouts, and wakes the detector in time.
     *
     * @param wakeBefore runs the detector by this time
     */
    public void listen(
            GroupCommitter committer,
            MeterRegistry registry,
            SagaStateStore sagas,
            Consumer<Instant> wakeBefore,
            Consumer<SagaTimedOutEvent> timeouts) {
        SagaMetrics metrics = new SagaMetrics(registry, sagas, tracked);
        committer.onRows(SagaView.of(settings), change -> {
            metrics.changed(change);
            wakeInTime(change.after(), wakeBefore);
            report(change, timeouts); // last: only a listener of the application may throw
        });
    }

    private static void wakeInTime(@Nullable SagaState saga, Consumer<Instant> wakeBefore) {
        if (saga != null && saga.deadline() != null && saga.status().isOpen()) {
            wakeBefore.accept(saga.deadline().at());
        }
    }

    private static boolean hasTimedOut(@Nullable SagaState saga) {
        return saga != null && saga.milestones().timedOut() != null;
    }

    private static void report(RowChange<SagaState> change, Consumer<SagaTimedOutEvent> timeouts) {
        SagaState saga = change.after();
        SagaFact timeout = saga == null ? null : saga.milestones().timedOut();
        if (saga != null && timeout != null && !hasTimedOut(change.before())) {
            timeouts.accept(new SagaTimedOutEvent(
                    saga.sagaId(),
                    saga.sagaType(),
                    saga.key(),
                    timeout.at(),
                    saga.reason(),
                    saga.status() != SagaStatus.TIMED_OUT));
        }
    }

    /**
     * Returns the task that judges the deadlines of the tracked sagas.
     *
     * @param readers the processors of this service that read a stream, by stream
     * @param wake runs the task again
     */
    public DueTask detector(
            String replica,
            Wire wire,
            TokenStore tokens,
            ViewStore views,
            DeadLetterStore letters,
            GroupCommitter committer,
            PayloadCodec codec,
            OperationClient client,
            Set<String> ownedStreams,
            Map<String, Set<String>> readers,
            Runnable wake) {
        return new SagaTimeoutDetector(
                service,
                types,
                settings,
                views,
                letters,
                committer,
                codec,
                new HeardTime(replica, wire, tokens, readers),
                new LetterQuestion(client),
                ownedStreams,
                wake);
    }
}
