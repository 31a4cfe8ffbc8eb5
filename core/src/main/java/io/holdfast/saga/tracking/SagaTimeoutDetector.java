package io.holdfast.saga.tracking;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Committer;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.deadline.firing.PendingUnits;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.Row;
import io.holdfast.view.View;
import io.holdfast.view.ViewStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
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

    private final String service;
    private final Choreographies types;
    private final SagaSettings settings;
    private final View<SagaState> view;
    private final ViewStore views;
    private final DeadLetterStore letters;
    private final PayloadCodec codec;
    private final HeardTime heard;
    private final LetterQuestion question;
    private final Set<String> ownedStreams;
    private final Runnable wake;
    private final PendingUnits pending;
    private @Nullable CompletableFuture<ParkedSagas> answer;
    private Map<String, SagaState> asked = Map.of();
    private final Set<String> flagging = new HashSet<>();
    private Instant pausedUntil = Instant.MIN;

    SagaTimeoutDetector(
            String service,
            Choreographies types,
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
        this.types = types;
        this.settings = settings;
        this.view = SagaView.of(settings);
        this.views = views;
        this.letters = letters;
        this.codec = codec;
        this.heard = heard;
        this.question = question;
        this.ownedStreams = ownedStreams;
        this.wake = wake;
        this.pending = new PendingUnits(committer, wake);
    }

    @Override
    public Optional<Instant> run(Instant now) {
        pending.complete((saga, failure) -> retryLater(saga, failure, now));
        CompletableFuture<ParkedSagas> asking = answer;
        if (asking != null && !asking.isDone()) {
            return Optional.empty();
        }
        if (asking != null) {
            answer = null;
            judge(asking.join(), now);
        }
        if (!pending.isEmpty()) {
            return Optional.empty();
        }
        return now.isBefore(pausedUntil) ? Optional.of(pausedUntil) : findNext(now);
    }

    private Optional<Instant> findNext(Instant now) {
        List<Row> due = views.findDue(SagaView.NAME, now, settings.maxBatchSize());
        List<Row> ended = new ArrayList<>();
        Map<String, SagaState> open = new HashMap<>();
        for (Row row : due) {
            SagaState saga = codec.decode(Objects.requireNonNull(row.value()), SagaState.class);
            if (saga.status().isOpen()) {
                open.put(saga.sagaId(), saga);
            } else {
                ended.add(row);
            }
        }
        boolean purged = views.purge(ended) > 0;
        if (open.isEmpty()) {
            return purged ? Optional.of(now) : views.findNextDue(SagaView.NAME);
        }
        Map<String, SagaState> judgeable = judgeable(open, now);
        if (judgeable.isEmpty()) {
            return Optional.of(now.plus(HEAR_INTERVAL));
        }
        ask(judgeable, now);
        return Optional.empty();
    }

    /** Returns the sagas whose streams were read up to their deadline. */
    private Map<String, SagaState> judgeable(Map<String, SagaState> open, Instant now) {
        Map<String, Instant> heardByType = new HashMap<>();
        Map<String, SagaState> judgeable = new HashMap<>();
        open.forEach((id, saga) -> types.find(saga.sagaType()).ifPresent(type -> {
            Instant until = heardByType.computeIfAbsent(type.type(), unused -> hear(type, now));
            Instant due = saga.nextDue(settings.retention());
            if (due != null && !due.isAfter(until)) {
                judgeable.put(id, saga);
            }
        }));
        return judgeable;
    }

    private Instant hear(Choreography type, Instant now) {
        List<String> streams = type.streams().stream()
                .filter(stream -> !ownedStreams.contains(stream))
                .toList();
        heard.sample(streams, now);
        return heard.until(streams, now);
    }

    /** Asks the participants for letters of these sagas, one request per service, this service's own store first. */
    private void ask(Map<String, SagaState> sagas, Instant now) {
        asked = sagas;
        Map<String, List<String>> found = new HashMap<>(LetterQuestion.find(sagas.keySet(), letters));
        Map<String, Set<String>> byService = new HashMap<>();
        sagas.forEach((id, saga) -> types.find(saga.sagaType()).ifPresent(type -> type.services().stream()
                .filter(other -> !other.equals(service))
                .forEach(other -> byService
                        .computeIfAbsent(other, unused -> new HashSet<>())
                        .add(id))));
        Map<String, CompletableFuture<Map<String, List<String>>>> replies = new HashMap<>();
        byService.forEach((other, ids) -> replies.put(other, question.ask(other, ids, now)));
        CompletableFuture<ParkedSagas> all = CompletableFuture.allOf(replies.values().stream()
                        .map(reply -> reply.exceptionally(failure -> Map.of()))
                        .toArray(CompletableFuture[]::new))
                .thenApply(unused -> collected(found, replies));
        answer = all;
        CompletableFuture<ParkedSagas> unused = all.whenComplete((result, failure) -> wake.run());
    }

    private static ParkedSagas collected(
            Map<String, List<String>> found, Map<String, CompletableFuture<Map<String, List<String>>>> replies) {
        Map<String, List<String>> all = new HashMap<>(found);
        replies.values().stream()
                .filter(reply -> !reply.isCompletedExceptionally())
                .forEach(reply ->
                        reply.join().forEach((saga, more) -> all.merge(saga, more, SagaTimeoutDetector::joined)));
        Set<String> silent = replies.entrySet().stream()
                .filter(reply -> reply.getValue().isCompletedExceptionally())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return new ParkedSagas(all, silent);
    }

    private static List<String> joined(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private void judge(ParkedSagas parked, Instant now) {
        asked.forEach((id, saga) -> types.find(saga.sagaType())
                .ifPresent(type -> submit(saga, new TimeoutDecision(id, type, settings, parked, now))));
        asked = Map.of();
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

    /** Records that the local compensation failed, so that an operator sees it and other sagas are not delayed. */
    private void retryLater(String sagaId, @Nullable Throwable failure, Instant now) {
        boolean flagged = flagging.remove(sagaId);
        if (failure == null) {
            return;
        }
        if (flagged || failure instanceof RetryableException) {
            pausedUntil = now.plus(RETRY_DELAY); // the next run judges it again
            return;
        }
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
