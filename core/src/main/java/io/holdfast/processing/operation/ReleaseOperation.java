package io.holdfast.processing.operation;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Settlement;
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
    private final @Nullable Settlement settlement;
    private final CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
    private @Nullable CompletableFuture<Boolean> settled;
    private boolean started;

    /** @param settlement committed together with the release */
    public ReleaseOperation(
            ProcessorContext context,
            SegmentClaims claims,
            int number,
            MonotonicTime deadline,
            @Nullable Settlement settlement) {
        this.context = context;
        this.claims = claims;
        this.number = number;
        this.deadline = deadline;
        this.settlement = settlement;
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
            start();
        } else if (settled != null && settled.isDone()) {
            var unused = settled.whenComplete(this::complete);
        } else if (!isClaimed) {
            complete(settlement == null, null);
        }
    }

    private void start() {
        started = true;
        if (settlement == null) {
            claims.drainAndRelease(number, claims.lease());
        } else {
            settled = claims.drainAndRelease(number, claims.lease(), settlement);
        }
    }

    private void complete(@Nullable Boolean isReleased, @Nullable Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (Boolean.TRUE.equals(isReleased)) {
            result.complete(null);
        } else {
            result.completeExceptionally(new RetryableException(
                    "segment " + number + " of processor " + context.processor() + " was lost before it was released"));
        }
    }

    @Override
    public void finish() {
        if (started && !result.isDone()) {
            claims.cancelRelease(number); // the operation was given up
        }
    }
}
