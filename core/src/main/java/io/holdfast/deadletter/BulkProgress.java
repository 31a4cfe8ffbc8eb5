package io.holdfast.deadletter;

/**
 * How far a bulk replay has come.
 *
 * @param examined sequences that were looked at
 * @param started sequences that matched, and that were begun
 * @param drained sequences of which nothing is parked any more
 * @param failed sequences of which a letter has failed again
 * @param status why it has ended; {@link Status#RUNNING} if it has not
 */
public record BulkProgress(long examined, long started, long drained, long failed, Status status) {

    public BulkProgress examined(long sequences) {
        return new BulkProgress(sequences, started, drained, failed, status);
    }

    public BulkProgress startedOne() {
        return new BulkProgress(examined, started + 1, drained, failed, status);
    }

    /** Some were begun in vain, and are not begun again. */
    public BulkProgress notStarted(long sequences) {
        return new BulkProgress(examined, started - sequences, drained, failed, status);
    }

    public BulkProgress drainedOne() {
        return new BulkProgress(examined, started, drained + 1, failed, status);
    }

    public BulkProgress failedOne() {
        return new BulkProgress(examined, started, drained, failed + 1, status);
    }

    public BulkProgress withStatus(Status why) {
        return new BulkProgress(examined, started, drained, failed, why);
    }

    /** Why it has ended. */
    public enum Status {
        RUNNING,
        /** All that matched were processed. */
        COMPLETED,
        /** Somebody has stopped it. */
        STOPPED,
        /** The first one has failed again, so the others were left alone. */
        CANARY_FAILED
    }
}
