package io.holdfast.processing;

import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.processing.segment.SegmentRequirements;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.token.ClaimedToken;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches a processor to another sequencing policy, once all segments are at the same position and nothing is parked:
 * only then can no event overtake another one of its new sequence. If the former policy is declared, the segments reach
 * the same position under it. Not thread-safe.
 */
final class PolicyChange {

    private static final Logger log = LoggerFactory.getLogger(PolicyChange.class);

    private final ProcessorContext context;
    private final String replica;
    private final SegmentRequirements requirements;
    private final SequencingPolicy wanted;
    private final @Nullable SequencingPolicy former;
    private final ProcessorStreams streams;
    private final SegmentClaims claims;

    PolicyChange(
            ProcessorContext context,
            String replica,
            SegmentRequirements requirements,
            SequencingPolicy wanted,
            @Nullable SequencingPolicy former,
            ProcessorStreams streams,
            SegmentClaims claims) {
        this.context = context;
        this.replica = replica;
        this.requirements = requirements;
        this.wanted = wanted;
        this.former = former;
        this.streams = streams;
        this.claims = claims;
    }

    void advance(List<ClaimedToken> layout) {
        Optional<String> other = layout.stream()
                .map(claimed -> claimed.token().setup().policy())
                .filter(stored -> !stored.isEmpty() && !stored.equals(wanted.name()))
                .findFirst();
        if (other.isEmpty()) {
            use(wanted);
        } else if (claims.workers().stream().allMatch(SegmentWorker::isDrained)
                && context.stores().tokens().changePolicy(context.processor(), replica, wanted.name())) {
            log.info(
                    "Processor {} switched to sequencing policy {}, formerly {}",
                    context.processor(),
                    wanted.name(),
                    other.get());
            claims.abandon();
            use(wanted);
        } else if (former != null && former.name().equals(other.get())) {
            use(former);
            alignPositions(layout);
        }
    }

    /**
     * While anything is parked, the segments continue under the former policy: a letter may need an operator, and that
     * may take long.
     */
    private void alignPositions(List<ClaimedToken> layout) {
        boolean isParked = !context.stores()
                .letters()
                .findSequences(context.processor(), 0, 0, EnumSet.allOf(SequenceState.class), 1)
                .isEmpty();
        Map<String, Long> target = isParked ? Map.of() : claims.highest();
        claims.workers().forEach(worker -> worker.stopAt(target));
        if (!isParked && isAligned(layout) && shouldYield(layout)) {
            claims.workers().forEach(worker -> claims.drainAndRelease(worker.number(), claims.lease()));
        }
    }

    private boolean isAligned(List<ClaimedToken> layout) {
        return layout.stream()
                                .map(claimed -> claimed.token().positions())
                                .distinct()
                                .count()
                        == 1
                && claims.workers().stream().allMatch(SegmentWorker::isDrained);
    }

    /** Returns whether another owner makes the change. Only one can, once the others have released their segments. */
    private boolean shouldYield(List<ClaimedToken> layout) {
        return layout.stream()
                .map(ClaimedToken::owner)
                .filter(Objects::nonNull)
                .anyMatch(owner -> owner.compareTo(replica) < 0);
    }

    private void use(SequencingPolicy policy) {
        requirements.usePolicy(policy.name());
        streams.usePolicy(policy);
    }
}
