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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Connects the parts that track the sagas of one service to its committer. */
public final class SagaTracking {

    private final String service;
    private final SagaSettings settings;
    private final List<Choreography> tracked;
    private final Collection<? extends JudgedSagas> orchestrated;

    /** @param orchestrated the saga types that this service runs */
    public SagaTracking(
            String service,
            Choreographies types,
            SagaSettings settings,
            Collection<? extends JudgedSagas> orchestrated) {
        this.service = service;
        this.settings = settings;
        this.tracked = types.trackedBy(service);
        this.orchestrated = List.copyOf(orchestrated);
    }

    /** Returns the choreographed sagas that this service tracks. */
    public List<Choreography> tracked() {
        return tracked;
    }

    /** Returns whether this service has sagas, tracked or orchestrated ones. */
    public boolean isNeeded() {
        return !tracked.isEmpty() || !orchestrated.isEmpty();
    }

    private List<String> typeNames() {
        return Stream.concat(
                        tracked.stream().map(Choreography::type),
                        orchestrated.stream().map(JudgedSagas::type))
                .toList();
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
        SagaMetrics metrics = new SagaMetrics(registry, sagas, typeNames());
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
        List<JudgedSagas> judged = new ArrayList<>(ChoreographedSagas.all(service, tracked, settings, ownedStreams));
        judged.addAll(orchestrated);
        return new SagaTimeoutDetector(
                service,
                judged,
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
