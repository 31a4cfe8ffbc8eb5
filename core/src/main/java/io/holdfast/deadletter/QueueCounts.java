package io.holdfast.deadletter;

/**
 * Counts of a dead-letter queue.
 *
 * @param letters the number of letters in all sequences
 * @param retrying the number of RETRYING sequences
 * @param held the number of HELD sequences
 * @param pending the number of PENDING sequences
 * @param pendingLetters the number of letters in PENDING sequences
 * @param awaiting the number of RETRYING sequences that await another version of the service
 * @param awaitingPending the number of PENDING sequences that await another version of the service
 */
public record QueueCounts(
        long letters,
        long retrying,
        long held,
        long pending,
        long pendingLetters,
        long awaiting,
        long awaitingPending) {

    public static final QueueCounts EMPTY = new QueueCounts(0, 0, 0, 0, 0, 0, 0);

    public long sequences() {
        return retrying + held + pending;
    }

    /** Returns the number of sequences that are retried automatically. */
    public long waiting() {
        return retrying + held;
    }

    /** Returns how many sequences count against {@code max-sequences}. */
    long limitedPending() {
        return pending - awaitingPending;
    }

    /** Returns how many sequences count against {@code max-waiting}. */
    long limitedWaiting() {
        return waiting() - awaiting;
    }

    public QueueCounts with(ParkedSequence sequence) {
        return plus(sequence, 1);
    }

    public QueueCounts without(ParkedSequence sequence) {
        return plus(sequence, -1);
    }

    private QueueCounts plus(ParkedSequence sequence, int sign) {
        boolean isPending = sequence.state() == SequenceState.PENDING;
        return new QueueCounts(
                letters + (long) sign * sequence.size(),
                retrying + (sequence.state() == SequenceState.RETRYING ? sign : 0),
                held + (sequence.state() == SequenceState.HELD ? sign : 0),
                pending + (isPending ? sign : 0),
                pendingLetters + (isPending ? (long) sign * sequence.size() : 0),
                awaiting + (sequence.awaits() != null && !isPending ? sign : 0),
                awaitingPending + (sequence.awaits() != null && isPending ? sign : 0));
    }
}
