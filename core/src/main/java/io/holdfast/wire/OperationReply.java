package io.holdfast.wire;

import io.holdfast.NonRetryableException;
import io.holdfast.RetryableException;
import io.holdfast.UserFailures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica replies to a request, for adapters: they run the server with {@link #of}, carry the reply, and convert
 * it for the asker with {@link #bodyOrThrow}.
 *
 * @param body the reply of the server; for other outcomes, the reason
 */
public record OperationReply(Outcome outcome, String body) {

    public static final OperationReply BUSY = new OperationReply(Outcome.BUSY, "");
    public static final OperationReply NOT_SERVED = new OperationReply(Outcome.NOT_SERVED, "");

    /** A reason is for logs. It must not make a reply too large to carry. */
    private static final int MAX_REASON = 1_000;

    private static final Logger log = LoggerFactory.getLogger(OperationReply.class);

    /** The outcome of a request. */
    public enum Outcome {
        SUCCEEDED,
        /** The server threw, and a repetition cannot help. */
        REJECTED,
        /** The server threw, and a repetition can help. */
        FAILED,
        UNKNOWN_OPERATION,
        /** Too many requests are waiting; nothing was done. */
        BUSY,
        /** The replica belongs to another service; nothing was done. */
        NOT_SERVED
    }

    /** Calls the server and returns what to reply. Never throws or fails, except with fatal errors. */
    public static CompletableFuture<OperationReply> of(OperationServer server, OperationRequest request) {
        Optional<CompletableFuture<String>> reply;
        try {
            reply = server.serve(request);
        } catch (Throwable thrown) {
            return CompletableFuture.completedFuture(failed(request, thrown));
        }
        return reply.map(future -> future.handle(
                        (body, thrown) -> thrown == null ? succeeded(request, body) : failed(request, unwrap(thrown))))
                .orElseGet(() -> CompletableFuture.completedFuture(new OperationReply(Outcome.UNKNOWN_OPERATION, "")));
    }

    private static OperationReply succeeded(OperationRequest request, String body) {
        try {
            OperationRequest.requireCarriable("reply", request.operation(), request.service(), body);
            return new OperationReply(Outcome.SUCCEEDED, body);
        } catch (RuntimeException tooLarge) {
            return failed(request, tooLarge);
        }
    }

    private static OperationReply failed(OperationRequest request, Throwable thrown) {
        Throwable failure = UserFailures.throwIfFatal(thrown);
        log.debug("The server of {} failed", request, failure);
        Outcome outcome = NonRetryableException.isRetryable(failure) ? Outcome.FAILED : Outcome.REJECTED;
        return new OperationReply(outcome, reason(failure));
    }

    private static Throwable unwrap(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /**
     * Returns the body of a successful reply.
     *
     * @throws RetryableException if a repetition can help, possibly at another replica
     * @throws OperationRejectedException otherwise
     */
    public String bodyOrThrow(OperationRequest request, String replica) {
        String what = request + " at replica " + replica;
        return switch (outcome) {
            case SUCCEEDED -> body;
            case REJECTED -> throw new OperationRejectedException(what + " was rejected: " + body);
            case FAILED -> throw new OperationFailedException(what + " failed: " + body);
            case UNKNOWN_OPERATION ->
                throw new UnknownOperationException(
                        what + ": this version of the service does not know the operation; nothing was done");
            case BUSY ->
                throw new WireUnavailableException(what + ": too many requests are waiting there; nothing was done");
            case NOT_SERVED ->
                throw new NoLiveReplicaException(what + ": the replica belongs to another service; nothing was done");
        };
    }

    private static String reason(Throwable failure) {
        String reason = failure.getClass().getSimpleName() + ", " + failure.getMessage();
        StringBuilder carriable = new StringBuilder();
        reason.codePoints()
                .limit(MAX_REASON)
                .forEach(point -> carriable.appendCodePoint(isCarriable(point) ? point : '?'));
        return carriable.toString();
    }

    private static boolean isCarriable(int point) {
        return point != 0 && Character.getType(point) != Character.SURROGATE;
    }
}
