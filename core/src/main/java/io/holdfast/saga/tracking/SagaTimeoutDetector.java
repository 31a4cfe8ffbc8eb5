package io.holdfast.saga.tracking;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Committer;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.deadline.firing.PendingUnits;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.View;
import io.holdfast.view.ViewStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges the sagas whose deadline has passed. It *hears*: it considers only deadlines up to which this service has read
 * every stream. It *asks*: the participants name the sagas that have letters, and these are suspended. It *judges*: a
 * timeout commits together with the local compensation, on the newest row. Also purges sagas that ended long ago.
 *
 * <p>Runs on the thread of the timekeeper and never waits there. Not thread-safe.
 */
public final class SagaTimeoutDetector implements DueTask {

    private static final Logger log = LoggerFactory.getLogger(SagaTimeoutDetector.class);
    private static final Duration HEAR_INTERVAL = Duration.ofMillis(200);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    /** While timeouts are disabled, so that they are judged soon after a restart that enables them. */
    private static final Duration DISABLED_RECHECK = Duration.ofMinutes(5);

    private final String service;
    private final Map<String, JudgedSagas> types = new LinkedHashMap<>();
    private final SagaSettings settings;
    private final View<SagaState> view;
    private final ViewStore views;
    private final DueSagas dueSagas;
    private final HeardTime heard;
    private final LetterInquiry inquiry;
    private final Set<String> ownedStreams;
    private final PendingUnits pending;
    private final Set<String> flagging = new HashSet<>();

    SagaTimeoutDetector(
            String service,
            Collection<JudgedSagas> types,
            SagaSettings settings,
            ViewStore views,
            DeadLetterStore letters,
            Committer committer,
            PayloadCodec codec,
            HeardTime heard,
            LetterQuestion question,
            Set<String> ownedStreams,
            Runnable wake) {
        this.service = service;
        types.forEach(type -> this.types.put(type.type(), type));
        this.settings = settings;
        this.view = SagaView.of(settings);
        this.views = views;
        this.dueSagas = new DueSagas(views, codec, settings.maxBatchSize());
        this.heard = heard;
        this.inquiry = new LetterInquiry(this.types, letters, question, wake);
        this.ownedStreams = ownedStreams;
        this.pending = new PendingUnits(committer, wake);
    }

    @Override
    public Optional<Instant> run(Instant now) {
        heard.observe(foreignStreams(types.values()), now);
        Map<String, Optional<Throwable>> completed = new LinkedHashMap<>();
        pending.complete((saga, failure) -> completed.put(saga, Optional.ofNullable(failure)));
        completed.forEach((saga, failure) -> completed(saga, failure.orElse(null), now));
        if (inquiry.isRunning()) {
            return Optional.empty();
        }
        inquiry.poll().ifPresent(answer -> judge(answer, now));
        return pending.isEmpty() ? findNext(now) : Optional.empty();
    }

    private Optional<Instant> findNext(Instant now) {
        DueSagas.Found found = dueSagas.find(now);
        boolean purged = views.purge(found.ended()) > 0;
        if (!found.open().isEmpty() && !settings.timeoutEnabled()) {
            found.open().values().stream().limit(settings.maxBatchSize()).forEach(saga -> postpone(saga, now));
            return Optional.empty();
        }
        Map<String, SagaState> judgeable = judgeable(found.open(), now);
        if (!judgeable.isEmpty()) {
            inquiry.start(judgeable, now);
            return inquiry.isRunning() ? Optional.empty() : Optional.of(now);
        }
        if (purged || dueSagas.widen(found)) {
            return Optional.of(now);
        }
        return found.isEmpty() ? views.findNextDue(SagaView.NAME) : Optional.of(now.plus(HEAR_INTERVAL));
    }

    /** Returns the sagas whose streams were read up to their deadline, at most one batch. */
    private Map<String, SagaState> judgeable(Map<String, SagaState> open, Instant now) {
        Map<String, Instant> heardByType = new HashMap<>();
        Map<String, SagaState> judgeable = new LinkedHashMap<>();
        open.forEach((id, saga) -> {
            JudgedSagas type = types.get(saga.sagaType());
            Instant due = saga.nextDue(settings.retention());
            if (type != null && due != null && judgeable.size() < settings.maxBatchSize()) {
                Instant until = heardByType.computeIfAbsent(type.type(), unused -> hear(type, now));
                if (!due.isAfter(until)) {
                    judgeable.put(id, saga);
                }
            }
        });
        return judgeable;
    }

    private Instant hear(JudgedSagas type, Instant now) {
        Set<String> streams = foreignStreams(List.of(type));
        heard.sample(streams, now);
        return heard.until(streams, now);
    }

    private Set<String> foreignStreams(Collection<JudgedSagas> judged) {
        Set<String> streams = new LinkedHashSet<>();
        judged.forEach(type -> streams.addAll(type.streams()));
        streams.removeAll(ownedStreams);
        return streams;
    }

    private void judge(LetterInquiry.Answer answer, Instant now) {
        answer.sagas().forEach((id, saga) -> {
            JudgedSagas type = types.get(saga.sagaType());
            if (type != null) {
                submit(saga, new TimeoutDecision(id, type.keys(saga), type, settings, answer.parked(), now));
            }
        });
    }

    private void postpone(SagaState saga, Instant now) {
        submit(saga, context -> {
            SagaState newest = context.row(view, saga.sagaId());
            if (newest != null) {
                context.put(view, saga.sagaId(), newest.postponed(now.plus(DISABLED_RECHECK)));
            }
        });
    }

    private void submit(SagaState saga, Decision decision) {
        Part part = Part.of(new PartId(judgementId(saga), service + "/saga-timeouts"), metadata(saga), decision);
        pending.submit(saga.sagaId(), CommitUnit.of(part));
    }

    /** Every replica derives the same id for the same judgement. */
    private static UUID judgementId(SagaState saga) {
        return EventIds.ofCommand("saga-timeout", saga.sagaId() + "/" + saga.deadline());
    }

    private static Metadata metadata(SagaState saga) {
        Metadata metadata = Metadata.none()
                .withSaga(saga.sagaType(), saga.sagaId())
                .withCausationId(judgementId(saga).toString());
        String correlation = saga.start() == null ? null : saga.start().correlationId();
        return metadata.withCorrelationId(correlation == null ? saga.sagaId() : correlation);
    }

    private void completed(String sagaId, @Nullable Throwable failure, Instant now) {
        boolean flagged = flagging.remove(sagaId);
        if (failure == null) {
            return;
        }
        if (flagged || failure instanceof RetryableException) {
            log.debug("Saga {} was not judged, retrying in {}", sagaId, RETRY_DELAY, failure);
            dueSagas.skip(sagaId, now.plus(RETRY_DELAY));
        } else {
            flag(sagaId, failure, now);
        }
    }

    /** Records that the local compensation failed, so that an operator sees it and other sagas are not delayed. */
    private void flag(String sagaId, Throwable failure, Instant now) {
        log.error("Saga {} cannot be compensated, an operator must look at it: {}", sagaId, failure.toString());
        Decision flag = context -> {
            SagaState saga = context.row(view, sagaId);
            if (saga != null) {
                Instant recheck = TimeoutDecision.recheckAt(saga, now);
                context.put(view, sagaId, saga.cancellationFailed(failure.toString(), recheck));
            }
        };
        Part part = Part.of(new PartId(EventIds.random(now), service + "/saga-timeouts"), Metadata.none(), flag);
        flagging.add(sagaId);
        pending.submit(sagaId, CommitUnit.of(part));
    }
}
