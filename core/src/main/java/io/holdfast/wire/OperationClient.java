package io.holdfast.wire;

import io.holdfast.worker.MonotonicClock;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Asks a service, whichever of its replicas is live. If a replica does not reply within the attempt timeout, is busy or
 * does not know the operation, the client asks the next one, under the same id. Thread-safe.
 */
public final class OperationClient {

    public static final Duration DEFAULT_ATTEMPT_TIMEOUT = Duration.ofSeconds(2);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final Wire wire;
    private final MonotonicClock clock;
    private final Duration attemptTimeout;

    /** @param clock measures the timeouts */
    public OperationClient(Wire wire, Clock clock) {
        this(wire, clock, DEFAULT_ATTEMPT_TIMEOUT);
    }

    /** @param attemptTimeout how long to wait for one replica */
    public OperationClient(Wire wire, Clock clock, Duration attemptTimeout) {
        this.wire = wire;
        this.clock = MonotonicClock.of(clock);
        this.attemptTimeout = attemptTimeout;
    }

    /** Same as {@link #ask(OperationRequest, Duration)}, with {@link #DEFAULT_TIMEOUT}. */
    public CompletableFuture<String> ask(OperationRequest request) {
        return ask(request, DEFAULT_TIMEOUT);
    }

    /**
     * Asks one live replica after another until one replies. Never blocks. Fails like {@link Wire#ask}: with
     * {@link NoLiveReplicaException} at once if the directory lists no replica of the service, and with
     * {@link NoReplyException} if a replica may have served the request without a reply that arrived.
     *
     * @param timeout the time for all attempts together
     */
    public CompletableFuture<String> ask(OperationRequest request, Duration timeout) {
        ReplicaAttempts attempts = new ReplicaAttempts(
                wire, clock, request, attemptTimeout, clock.time().plus(timeout));
        return attempts.start();
    }
}
