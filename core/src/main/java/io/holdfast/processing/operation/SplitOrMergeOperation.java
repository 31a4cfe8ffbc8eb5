package io.holdfast.processing.operation;

import io.holdfast.PermanentException;
import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.TokenStore;
import io.holdfast.worker.MonotonicTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Splits a segment, or merges it with its sibling: drains the segments, for a merge to the same position, reassigns
 * their sequences in one commit, and resumes them.
 */
public final class SplitOrMergeOperation implements Operation {

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final int number;
    private final boolean split;
    private final MonotonicTime deadline;
    private final @Nullable Settlement settlement;
    private final CompletableFuture<Integer> result = new CompletableFuture<>();
    private List<Integer> stopped = List.of();

    /** @param settlement committed together with the split or the merge */
    public SplitOrMergeOperation(
            ProcessorContext context,
            SegmentClaims claims,
            int number,
            boolean split,
            MonotonicTime deadline,
            @Nullable Settlement settlement) {
        this.context = context;
        this.claims = claims;
        this.number = number;
        this.split = split;
        this.deadline = deadline;
        this.settlement = settlement;
    }

    @Override
    public MonotonicTime deadline() {
        return deadline;
    }

    @Override
    public CompletableFuture<Integer> result() {
        return result;
    }

    @Override
    public void advance() {
        SegmentWorker one = claimedWorker(number);
        if (one == null) {
            return;
        }
        if (split) {
            split(one);
            return;
        }
        int mask = one.token().setup().mask();
        if (mask == 0) {
            fail("segment " + number + " of processor " + context.processor() + " is the only one; nothing to merge");
            return;
        }
        SegmentWorker other = claimedWorker(Segments.sibling(number, mask));
        if (other != null && !isSplitFurther(other, mask)) {
            merge(one, other);
        }
    }

    private void split(SegmentWorker worker) {
        stopped = List.of(number);
        worker.stop();
        if (!worker.isDrained()) {
            return;
        }
        Optional<Segment> splitOff =
                tokens().split(worker.claim(), worker.token().version(), settlement);
        splitOff.ifPresent(segment -> {
            claims.reopen(number);
            claims.claim(segment);
            claims.requestRefresh();
            result.complete(segment.number());
        });
    }

    private boolean isSplitFurther(SegmentWorker other, int mask) {
        boolean isSplit = other.token().setup().mask() != mask;
        if (isSplit) {
            fail("segment " + other.number() + ", the sibling of " + number + " of processor " + context.processor()
                    + ", is split further; merge that first");
        }
        return isSplit;
    }

    private void merge(SegmentWorker one, SegmentWorker other) {
        if (stopped.isEmpty()) {
            stopped = List.of(one.number(), other.number());
            Map<String, Long> target = new HashMap<>();
            List.of(one, other).forEach(worker -> {
                worker.readPositions()
                        .forEach((stream, position) -> target.merge(stream, position.position(), Math::max));
                worker.token().marks().forEach(mark -> target.merge(mark.stream(), mark.position(), Math::max));
            });
            one.stopAt(target);
            other.stopAt(target);
        }
        Map<String, StreamPosition> reached = one.token().positions();
        if (!one.isDrained()
                || !other.isDrained()
                || !reached.equals(other.token().positions())) {
            return;
        }
        boolean merged = tokens().merge(
                        one.claim(),
                        one.token().version(),
                        other.claim(),
                        other.token().version(),
                        settlement);
        if (merged) {
            int remaining = Math.min(one.number(), other.number());
            other.abandon();
            one.abandon();
            claims.removeFinished();
            claims.claim(new Segment(context.processor(), remaining));
            claims.requestRefresh();
            result.complete(remaining);
        }
    }

    /** Returns the worker of a segment, which it claims if necessary; null if this replica cannot claim it now. */
    private @Nullable SegmentWorker claimedWorker(int wanted) {
        SegmentWorker worker = claims.worker(wanted).orElse(null);
        if (worker != null && !worker.isLost()) {
            return worker;
        }
        ClaimedToken claimed = claims.layout().stream()
                .filter(token -> token.token().segment().number() == wanted)
                .findFirst()
                .orElse(null);
        if (claimed == null) {
            fail("processor " + context.processor() + " has no segment " + wanted);
            return null;
        }
        return claims.claim(claimed.token().segment()).orElseGet(() -> {
            if (claimed.owner() != null && !claimed.owner().equals(context.replica())) {
                fail("segment " + wanted + " of processor " + context.processor() + " is owned by " + claimed.owner()
                        + "; run the operation there, or release the segment first");
            }
            return null;
        });
    }

    private TokenStore tokens() {
        return context.stores().tokens();
    }

    private void fail(String message) {
        result.completeExceptionally(new PermanentException(message));
    }

    @Override
    public void finish() {
        stopped.forEach(claims::resume);
    }
}
