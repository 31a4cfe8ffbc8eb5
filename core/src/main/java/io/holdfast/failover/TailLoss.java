package io.holdfast.failover;

import io.holdfast.event.Epoch;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

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
     * Compares what was seen with the log, under the head lock. A missing event below a verified one that still exists
     * was removed by retention; a log loses events only at its end.
     *
     * @param verified the events that the log contained at the last check
     * @param existing the ids of the seen events that the log contains
     * @return the highest position known to be unchanged, and what was lost above it
     */
    public static Comparison compare(
            Collection<SeenEvent> verified, Witnessed witnessed, Set<UUID> existing, long headPosition) {
        long newestVerified = verified.stream()
                .filter(event -> existing.contains(event.id()))
                .mapToLong(SeenEvent::position)
                .max()
                .orElse(0);
        List<SeenEvent> lost = Stream.concat(
                        verified.stream().filter(event -> event.position() > newestVerified),
                        witnessed.folded().stream())
                .filter(event -> !existing.contains(event.id()))
                .sorted(Comparator.comparingLong(SeenEvent::position))
                .toList();
        long common = newestVerified == 0 && !lost.isEmpty() ? headPosition : newestVerified;
        return new Comparison(
                lost.isEmpty() ? common : Math.min(common, lost.get(0).position() - 1), lost);
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
