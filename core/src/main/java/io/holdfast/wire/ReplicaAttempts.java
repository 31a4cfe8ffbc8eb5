package io.holdfast.wire;

import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one request. A replica that did not reply may be asked again, because the wire may have lost the
 * request; one that replied otherwise is not. Its methods run one after another, each after the attempt before.
 */
final class ReplicaAttempts {

    /** The wire may fail at once, again and again. */
    static final int MAX_ATTEMPTS_PER_REPLICA = 3;

    private final Wire wire;
    private final MonotonicClock clock;
    private final OperationRequest request;
    private final Duration attemptTimeout;
    private final MonotonicTime deadline;
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Set<String> excluded = new HashSet<>();
    /** Once a replica may have served the request, no other failure may hide that. */
    private @Nullable NoReplyException noReply;

    ReplicaAttempts(
            Wire wire,
            MonotonicClock clock,
            OperationRequest request,
            Duration attemptTimeout,
            MonotonicTime deadline) {
        this.wire = wire;
        this.clock = clock;
        this.request = request;
        this.attemptTimeout = attemptTimeout;
        this.deadline = deadline;
    }

    CompletableFuture<String> start() {
        askNext(new NoLiveReplicaException(
                request + ": the service directory lists no live replica; nothing was sent"));
        return result;
    }

    /** @param failure of the previous attempt, which the caller gets if there is no other replica to ask */
    private void askNext(Throwable failure) {
        Duration left = clock.time().until(deadline);
        Optional<String> replica = left.isZero() ? Optional.empty() : nextReplica();
        if (replica.isEmpty()) {
            result.completeExceptionally(noReply == null ? failure : noReply);
            return;
        }
        attempts.merge(replica.get(), 1, Integer::sum);
        Duration timeout = left.compareTo(attemptTimeout) < 0 ? left : attemptTimeout;
        var unused = wire.ask(replica.get(), request, timeout)
                .whenComplete((body, failed) -> onAttempt(replica.get(), body, failed));
    }

    /** Returns the replica with the fewest attempts; among equals, the one with the most recent announcement. */
    private Optional<String> nextReplica() {
        return wire.directory().stream()
                .filter(announcement -> announcement.service().equals(request.service()))
                .map(Announcement::replica)
                .filter(replica -> !excluded.contains(replica) && attempts(replica) < MAX_ATTEMPTS_PER_REPLICA)
                .min(Comparator.comparing(this::attempts));
    }

    private int attempts(String replica) {
        return attempts.getOrDefault(replica, 0);
    }

    private void onAttempt(String replica, String body, @Nullable Throwable failed) {
        Throwable failure = unwrap(failed);
        if (failure == null) {
            result.complete(body);
        } else if (failure instanceof NoReplyException lost) {
            noReply = lost;
            askNext(lost);
        } else if (failure instanceof WireUnavailableException || failure instanceof UnknownOperationException) {
            excluded.add(replica);
            askNext(failure);
        } else {
            result.completeExceptionally(failure);
        }
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
