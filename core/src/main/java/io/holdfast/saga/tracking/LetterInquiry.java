package io.holdfast.saga.tracking;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.saga.SagaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks all participants of a batch of sagas for letters, this service's own store first. One inquiry at a time. Not
 * thread-safe.
 */
final class LetterInquiry {

    /** Keeps each request and its reply far below the limit of the wire. */
    private static final int MAX_IDS = 200;

    private final Map<String, JudgedSagas> types;
    private final DeadLetterStore letters;
    private final LetterQuestion question;
    private final Runnable wake;
    private @Nullable CompletableFuture<Answer> answer;

    /** @param wake runs the detector again; called when all participants have answered or failed to, on any thread */
    LetterInquiry(Map<String, JudgedSagas> types, DeadLetterStore letters, LetterQuestion question, Runnable wake) {
        this.types = types;
        this.letters = letters;
        this.question = question;
        this.wake = wake;
    }

    /** Never waits for a participant. */
    void start(Map<String, SagaState> sagas, Instant now) {
        Map<String, List<String>> own =
                LetterQuestion.find(sagas.keySet(), letters, (saga, letter) -> isSuspendedBy(sagas.get(saga), letter));
        List<Request> requests = new ArrayList<>();
        participants(sagas).forEach((participant, ids) -> {
            for (int from = 0; from < ids.size(); from += MAX_IDS) {
                List<String> some = ids.subList(from, Math.min(from + MAX_IDS, ids.size()));
                requests.add(new Request(participant, question.ask(participant, some, now)));
            }
        });
        CompletableFuture<Answer> all = CompletableFuture.allOf(requests.stream()
                        .map(request -> request.reply.exceptionally(failure -> Map.of()))
                        .toArray(CompletableFuture[]::new))
                .thenApply(unused -> new Answer(sagas, collected(own, requests)));
        answer = all;
        CompletableFuture<Answer> unused = all.whenComplete((result, failure) -> wake.run());
    }

    private boolean isSuspendedBy(@Nullable SagaState saga, SagaLetter letter) {
        JudgedSagas type = saga == null ? null : types.get(saga.sagaType());
        return type == null || type.isSuspendedBy(letter);
    }

    /** Returns the ids of the sagas in which each other service takes part. */
    private Map<String, List<String>> participants(Map<String, SagaState> sagas) {
        Map<String, List<String>> ids = new TreeMap<>();
        sagas.forEach((id, saga) -> {
            JudgedSagas type = types.get(saga.sagaType());
            if (type != null) {
                type.participants()
                        .forEach(participant -> ids.computeIfAbsent(participant, unknown -> new ArrayList<>())
                                .add(id));
            }
        });
        return ids;
    }

    private static ParkedSagas collected(Map<String, List<String>> own, List<Request> requests) {
        Map<String, List<String>> all = new HashMap<>(own);
        Set<String> silent = new HashSet<>();
        for (Request request : requests) {
            if (request.reply.isCompletedExceptionally()) {
                silent.add(request.participant);
            } else {
                request.reply.join().forEach((saga, more) -> all.merge(saga, more, LetterInquiry::joined));
            }
        }
        return new ParkedSagas(all, silent);
    }

    private static List<String> joined(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    boolean isRunning() {
        return answer != null && !answer.isDone();
    }

    /** Returns the answer, once. */
    Optional<Answer> poll() {
        CompletableFuture<Answer> answered = answer;
        if (answered == null || !answered.isDone()) {
            return Optional.empty();
        }
        answer = null;
        return Optional.of(answered.join());
    }

    private record Request(String participant, CompletableFuture<Map<String, List<String>>> reply) {}

    /** @param sagas the sagas of the inquiry, as read when it started */
    record Answer(Map<String, SagaState> sagas, ParkedSagas parked) {}
}
