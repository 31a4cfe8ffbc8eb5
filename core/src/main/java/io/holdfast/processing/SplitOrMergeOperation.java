package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.TokenStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Splits a segment, or merges it with its sibling: brings the segments to rest, the two of a merge at one position, changes
 * their shares in one commit, and lets them go on.
 */
final class SplitOrMergeOperation implements Operation {

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final int number;
    private final boolean split;
    private final Instant deadline;
    private final CompletableFuture<Integer> result = new CompletableFuture<>();
    private List<Integer> stopped = List.of();

    SplitOrMergeOperation(ProcessorContext context, SegmentClaims shares, int number, boolean split, Instant deadline) {
        this.context = context;
        this.claims = shares;
        this.number = number;
        this.split = split;
        this.deadline = deadline;
    }

    @Override
    public Instant deadline() {
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

    private void split(SegmentWorker work) {
        stopped = List.of(number);
        work.stop();
        if (!work.isDrained()) {
            return;
        }
        Optional<Segment> splitOff = tokens().split(work.claim(), work.token().version());
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
            List.of(one, other).forEach(work -> {
                work.readPositions()
                        .forEach((stream, position) -> target.merge(stream, position.position(), Math::max));
                work.token().marks().forEach(mark -> target.merge(mark.stream(), mark.position(), Math::max));
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
                        other.token().version());
        if (merged) {
            int kept = Math.min(one.number(), other.number());
            other.abandon();
            one.abandon();
            claims.removeFinished();
            claims.claim(new Segment(context.processor(), kept));
            claims.requestRefresh();
            result.complete(kept);
        }
    }

    /** The work on a segment, which must be this replica's; null if that cannot be. */
    private @Nullable SegmentWorker claimedWorker(int wanted) {
        SegmentWorker work = claims.worker(wanted).orElse(null);
        if (work != null && !work.isLost()) {
            return work;
        }
        ClaimedToken held = claims.layout().stream()
                .filter(token -> token.token().segment().number() == wanted)
                .findFirst()
                .orElse(null);
        if (held == null) {
            fail("processor " + context.processor() + " has no segment " + wanted);
            return null;
        }
        return claims.claim(held.token().segment()).orElseGet(() -> {
            if (held.owner() != null) {
                fail("segment " + wanted + " of processor " + context.processor() + " is held by " + held.owner()
                        + "; ask there, or release it first");
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
