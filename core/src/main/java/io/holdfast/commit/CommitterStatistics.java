package io.holdfast.commit;

/**
 * A committer's counters since its creation.
 *
 * @param units units that were accepted for a commit
 * @param partsDecided runs of a part's decisions, repeated runs included
 * @param commits committed transactions
 * @param events committed events
 * @param conflicts batches that were decided again because another process had committed in between
 */
public record CommitterStatistics(long units, long partsDecided, long commits, long events, long conflicts) {}
