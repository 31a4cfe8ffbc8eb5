package io.holdfast.wire.source;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a request over the wire without blocking, and repeats it until there is a response. Not thread-safe. */
final class RepeatedRequest<Q, A> {

    private static final Logger log = LoggerFactory.getLogger(RepeatedRequest.class);

    private final Function<Q, CompletableFuture<A>> transport;
    private final Runnable onResponse;
    private @Nullable Q requested;
    private @Nullable CompletableFuture<A> response;

    /** @param onResponse runs when a response arrives; after a failure, the next {@link #poll} repeats the request */
    RepeatedRequest(Function<Q, CompletableFuture<A>> transport, Runnable onResponse) {
        this.transport = transport;
        this.onResponse = onResponse;
    }

    /** Returns the response if it has arrived. Otherwise sends the request, again after a failure. */
    Optional<A> poll(Q request) {
        CompletableFuture<A> current = response;
        if (current == null || !request.equals(requested)) {
            current = transport.apply(request);
            requested = request;
            response = current;
        }
        if (!current.isDone()) {
            signal(current);
            return Optional.empty();
        }
        response = null;
        try {
            return Optional.of(current.join());
        } catch (CompletionException | CancellationException e) {
            log.debug("{} failed, repeating it at the next poll: {}", request, e.getMessage());
            return Optional.empty();
        }
    }

    /** Sends the next request early, so that its response has arrived when it is polled. */
    void prefetch(Q request) {
        requested = request;
        response = transport.apply(request);
    }

    private void signal(CompletableFuture<A> current) {
        var unused = current.thenRun(onResponse);
    }
}
