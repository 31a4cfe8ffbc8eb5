package io.holdfast.processing.operation;

import io.holdfast.PermanentException;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.worker.MonotonicTime;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Releases a segment once it is drained, so that another replica can claim it. */
public final class ReleaseOperation implements Operation {

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final int number;
    private final MonotonicTime deadline;
    private final CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
    private boolean started;

    public ReleaseOperation(ProcessorContext context, SegmentClaims claims, int number, MonotonicTime deadline) {
        this.context = context;
        this.claims = claims;
        this.number = number;
        this.deadline = deadline;
    }

    @Override
    public MonotonicTime deadline() {
        return deadline;
    }

    @Override
    public CompletableFuture<@Nullable Void> result() {
        return result;
    }

    @Override
    public void advance() {
        boolean isClaimed = claims.worker(number).isPresent();
        if (!started && !isClaimed) {
            result.completeExceptionally(new PermanentException(
                    "segment " + number + " of processor " + context.processor() + " is not owned by this replica"));
        } else if (!started) {
            started = true;
            claims.drainAndRelease(number, claims.lease());
        } else if (!isClaimed) {
            result.complete(null);
        }
    }

    @Override
    public void finish() {
        if (started && !result.isDone()) {
            claims.cancelRelease(number); // the operation was given up
        }
    }
}
