package io.holdfast.deadletter;

/**
 * How much is parked in a queue.
 *
 * @param letters of all its sequences
 * @param retrying sequences that wait for another attempt
 * @param held sequences that wait for a breaker
 * @param pending sequences that wait for a person
 * @param pendingLetters the letters of those
 */
public record QueueCounts(long letters, long retrying, long held, long pending, long pendingLetters) {

    public static final QueueCounts EMPTY = new QueueCounts(0, 0, 0, 0, 0);

    public long sequences() {
        return retrying + held + pending;
    }

    /** Sequences that go on by themselves. */
    public long waiting() {
        return retrying + held;
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
                pendingLetters + (isPending ? (long) sign * sequence.size() : 0));
    }
}
