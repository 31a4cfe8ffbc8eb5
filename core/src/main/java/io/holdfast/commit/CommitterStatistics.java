package io.holdfast.commit;

/**
 * What a committer has done since it was made.
 *
 * @param units taken from the queue
 * @param partsDecided how often the decisions of a part were run, repetitions included
 * @param commits transactions that were committed
 * @param events that were committed
 * @param conflicts batches that were decided again because another process had committed meanwhile
 */
public record CommitterStatistics(long units, long partsDecided, long commits, long events, long conflicts) {}
