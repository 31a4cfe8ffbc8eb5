package io.holdfast.outbox;

import io.holdfast.event.NewEvent;
import io.holdfast.failover.Witnessed;
import java.time.Instant;
import java.util.List;

/**
 * Transactional outbox for services that store rows, not events: the service writes outbox entries in the same
 * transaction as its application rows.
 *
 * <p><b>Contract.</b> An entry exists if and only if its transaction committed. Entries of one key get gapless
 * versions in commit order: a transaction that writes to a key waits until any other transaction that has written to
 * it ends. (The same may apply to the first transaction that ever writes to a stream.) An entry has no position at first, so that no application's transaction waits for the head of the log.
 * {@link #assignPositions} assigns positions later, within a key in version order. From then on, the entry is part of
 * the log and is read like any other event.
 *
 * <p><b>Thread safety.</b> Thread-safe, also across processes; each caller uses its own transaction.
 *
 * <p><b>Transaction.</b> {@link #write} must be called inside the caller's transaction; {@link #assignPositions} and
 * {@link #evict} use their own.
 *
 * <p><b>Not guaranteed.</b> There is no order between keys. {@code write} is not idempotent: a duplicate call writes
 * a second entry, so the caller's application rows must show whether the change already happened.
 */
public interface OutboxStore {

    /**
     * Writes an entry as part of the caller's transaction.
     *
     * @param stream owned by this service; a stream is either event-sourced or an outbox stream, never both. The
     *     first committed write decides; whether a rolled-back one does is not specified.
     * @throws io.holdfast.PermanentException outside of a transaction, or if the stream is event-sourced
     * @throws io.holdfast.RetryableException if another transaction locks the key for too long
     */
    OutboxEntry write(String stream, String key, NewEvent event);

    /**
     * Assigns positions to committed entries that have none, at most {@code limit}. An entry that commits late gets a
     * later position and is never skipped.
     *
     * @param witnessed what the log must still contain
     * @return the number of entries that got a position
     * @throws io.holdfast.failover.TailLostException if the log has lost what was seen; no position was assigned
     */
    int assignPositions(int limit, Witnessed witnessed);

    /** Assigns positions without checking that the log still contains what was seen. */
    default int assignPositions(int limit) {
        return assignPositions(limit, Witnessed.NOTHING);
    }

    /** Returns the number of committed entries without a position. */
    long countUnpositioned();

    /**
     * Removes entries from the log that are at or below a position and got it before a time, but never those that a
     * registered consumer group of the stream has not passed. The versions of keys, the head of the stream and the
     * chain of previous positions continue unchanged, so a reader that is not registered detects the gap.
     *
     * @return the number of removed entries
     * @throws io.holdfast.PermanentException if the stream is event-sourced: its events are kept forever
     */
    int evict(String stream, long upTo, Instant positionedBefore);

    /** Returns the outbox streams that have entries or had some. */
    List<String> streams();
}
