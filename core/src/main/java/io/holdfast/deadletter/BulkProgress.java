package io.holdfast.deadletter;

/**
 * Progress of a bulk replay, in sequences.
 *
 * @param examined the number of sequences examined
 * @param started the number of matching sequences whose replay was started
 * @param drained the number of sequences that have no parked letter left
 * @param failed the number of sequences in which a letter failed again
 * @param status why the replay ended; {@link Status#RUNNING} until then
 */
public record BulkProgress(long examined, long started, long drained, long failed, Status status) {

    public BulkProgress examined(long sequences) {
        return new BulkProgress(sequences, started, drained, failed, status);
    }

    public BulkProgress startedOne() {
        return new BulkProgress(examined, started + 1, drained, failed, status);
    }

    /** Subtracts sequences that were started but not replayed, and that will not be restarted. */
    public BulkProgress notStarted(long sequences) {
        return new BulkProgress(examined, started - sequences, drained, failed, status);
    }

    public BulkProgress drainedOne() {
        return new BulkProgress(examined, started, drained + 1, failed, status);
    }

    public BulkProgress failedOne() {
        return new BulkProgress(examined, started, drained, failed + 1, status);
    }

    public BulkProgress withStatus(Status newStatus) {
        return new BulkProgress(examined, started, drained, failed, newStatus);
    }

    /** State of a bulk replay. */
    public enum Status {
        RUNNING,
        /** All matching sequences were replayed. */
        COMPLETED,
        /** Stopped by {@link BulkReplay#stop}. */
        STOPPED,
        /** The canary, the first sequence, failed again; no other sequence was started. */
        CANARY_FAILED
    }
}
