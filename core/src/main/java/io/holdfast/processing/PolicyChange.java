package io.holdfast.processing;

import io.holdfast.deadletter.SequenceState;
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
 * Moves a processor from one sequencing policy to another, when all segments stand at one position and nothing is parked:
 * only then no event can overtake another of its new sequence. If the former policy is known here, the segments are brought
 * to one position by it. For one thread.
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
            SegmentClaims shares) {
        this.context = context;
        this.replica = replica;
        this.requirements = requirements;
        this.wanted = wanted;
        this.former = former;
        this.streams = streams;
        this.claims = shares;
    }

    void advance(List<ClaimedToken> layout) {
        Optional<String> other = layout.stream()
                .map(held -> held.token().setup().policy())
                .filter(stored -> !stored.isEmpty() && !stored.equals(wanted.name()))
                .findFirst();
        if (other.isEmpty()) {
            use(wanted);
        } else if (claims.workers().stream().allMatch(SegmentWorker::isDrained)
                && context.stores().tokens().changePolicy(context.processor(), replica, wanted.name())) {
            log.info(
                    "Processor {} shares events out by {} from now on, no longer by {}",
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

    /** While something is parked all goes on by the former policy: that may be for a person, and last. */
    private void alignPositions(List<ClaimedToken> layout) {
        boolean isParked = !context.stores()
                .letters()
                .findSequences(context.processor(), 0, 0, EnumSet.allOf(SequenceState.class), 1)
                .isEmpty();
        Map<String, Long> target = isParked ? Map.of() : claims.highest();
        claims.workers().forEach(work -> work.stopAt(target));
        if (!isParked && isAligned(layout) && shouldYield(layout)) {
            claims.workers().forEach(work -> claims.drainAndRelease(work.number(), claims.lease()));
        }
    }

    private boolean isAligned(List<ClaimedToken> layout) {
        return layout.stream().map(held -> held.token().positions()).distinct().count() == 1
                && claims.workers().stream().allMatch(SegmentWorker::isDrained);
    }

    /** Of several that hold segments one can make the change, once the others have given theirs back. */
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
