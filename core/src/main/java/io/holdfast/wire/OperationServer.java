package io.holdfast.wire;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Serves the requests to one replica. Called concurrently on threads that serve nothing else. A request may be repeated
 * and may arrive late, so implementations are idempotent by the id of the request.
 */
@FunctionalInterface
public interface OperationServer {

    /**
     * Serves a request. If it throws, or the future fails, the asker gets an {@link OperationRejectedException} or an
     * {@link OperationFailedException}, depending on whether a repetition can help.
     *
     * @return the reply: JSON, at most {@link OperationRequest#MAX_BYTES}. A server that waits returns a future that
     *     completes later, and frees the thread. Empty if this replica does not know the operation
     */
    Optional<CompletableFuture<String>> serve(OperationRequest request);
}
