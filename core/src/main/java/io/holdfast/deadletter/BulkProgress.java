package io.holdfast.deadletter;

/**
 * How far a bulk replay has come.
 *
 * @param looked sequences that were looked at
 * @param begun sequences that matched, and that were begun
 * @param drained sequences of which nothing is parked any more
 * @param failed sequences of which a letter has failed again
 * @param end why it has ended; {@link End#RUNNING} if it has not
 */
public record BulkProgress(long looked, long begun, long drained, long failed, End end) {

    public BulkProgress looked(long sequences) {
        return new BulkProgress(sequences, begun, drained, failed, end);
    }

    public BulkProgress begunOne() {
        return new BulkProgress(looked, begun + 1, drained, failed, end);
    }

    /** Some were begun in vain, and are not begun again. */
    public BulkProgress notBegun(long sequences) {
        return new BulkProgress(looked, begun - sequences, drained, failed, end);
    }

    public BulkProgress drainedOne() {
        return new BulkProgress(looked, begun, drained + 1, failed, end);
    }

    public BulkProgress failedOne() {
        return new BulkProgress(looked, begun, drained, failed + 1, end);
    }

    public BulkProgress ended(End why) {
        return new BulkProgress(looked, begun, drained, failed, why);
    }

    /** Why it has ended. */
    public enum End {
        RUNNING,
        /** All that matched were processed. */
        COMPLETED,
        /** Somebody has stopped it. */
        STOPPED,
        /** The first one has failed again, so the others were left alone. */
        CANARY_FAILED
    }
}
