package io.holdfast.failover;

import io.holdfast.event.Epoch;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a log has lost of what a process has seen.
 *
 * @param commonPosition the highest position up to which the log is known to be unchanged
 * @param lost the seen events that the log no longer contains, in position order; empty if only commits without events
 *     were lost
 * @param epoch the newest epoch of the log, which began at or below the first lost event
 * @param commits the number of commits of the log
 */
public record TailLoss(long commonPosition, List<SeenEvent> lost, Epoch epoch, long commits) {

    public TailLoss {
        lost = List.copyOf(lost);
    }

    /**
     * Compares what was seen with the log, under the head lock. Positions have no gaps, so an event at a position that
     * has none was removed by retention. An event that was seen after a lost one may have been appended since the loss.
     * So the log is known to be unchanged up to the newest event that still exists and was seen before all lost ones.
     *
     * @param verified the events that the log contained at the last check
     * @param ids the ids of the events at the positions of all seen events
     * @return the highest position known to be unchanged, and what was lost above it
     */
    public static Comparison compare(
            Collection<SeenEvent> verified, Witnessed witnessed, Map<Long, UUID> ids, long headPosition) {
        List<SeenEvent> lost = Stream.concat(verified.stream(), witnessed.unverified().stream())
                .filter(event -> isLost(event, ids.get(event.position()), headPosition))
                .sorted(Comparator.comparingLong(SeenEvent::position))
                .toList();
        long firstLost = lost.isEmpty() ? Long.MAX_VALUE : lost.get(0).position();
        long firstSeen = lost.stream().mapToLong(SeenEvent::order).min().orElse(Long.MAX_VALUE);
        long common = verified.stream()
                .filter(event -> event.id().equals(ids.get(event.position())))
                .filter(event -> event.position() < firstLost && event.order() < firstSeen)
                .mapToLong(SeenEvent::position)
                .max()
                .orElse(0);
        return new Comparison(common, lost);
    }

    private static boolean isLost(SeenEvent event, @Nullable UUID idAtPosition, long headPosition) {
        return idAtPosition == null ? event.position() > headPosition : !idAtPosition.equals(event.id());
    }

    /**
     * @param commonPosition the highest position known to be unchanged
     * @param lost in position order
     */
    public record Comparison(long commonPosition, List<SeenEvent> lost) {

        /**
         * Returns the epoch that must be started; empty if nothing was lost, or if another replica has started one for
         * the same loss.
         *
         * @param epochs those of the log, oldest first
         */
        public Optional<Epoch> newEpoch(List<Epoch> epochs) {
            if (lost.isEmpty()) {
                return Optional.empty();
            }
            Epoch newest = epochs.get(epochs.size() - 1);
            SeenEvent first = lost.get(0);
            boolean isStarted = newest.number() > first.epoch() && newest.startPosition() < first.position();
            if (isStarted) {
                return Optional.empty();
            }
            TreeSet<Integer> used = new TreeSet<>(List.of(newest.number()));
            lost.forEach(event -> used.add(event.epoch())); // the row of an epoch may be lost too
            return Optional.of(new Epoch(used.last() + 1, commonPosition));
        }
    }
}
