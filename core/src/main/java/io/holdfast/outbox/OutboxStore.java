package io.holdfast.outbox;

import io.holdfast.event.NewEvent;
import java.time.Instant;
import java.util.List;

/**
 * Lets a service that keeps rows, not events, tell what happened: it writes entries in the same transaction as its rows.
 *
 * <p><b>Duty.</b> An entry exists if and only if its transaction committed. Entries of one key are numbered in commit
 * order without a gap: a transaction that writes a key which another has written waits until that one has ended. An entry
 * has no position at first, so that no user's transaction waits for the head of the log; {@link #assignPositions} gives positions
 * later, a key's entry only after the one before it. From then on it is in the log and read like any other event.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes, each in a transaction of its own.
 *
 * <p><b>Transaction.</b> {@link #write} must be called inside the caller's; {@link #assignPositions} and {@link #evict} have their
 * own.
 *
 * <p><b>Not promised.</b> An order between keys. A duplicate {@code write} is a second entry: the caller's own rows say
 * whether it happened.
 */
public interface OutboxStore {

    /**
     * Writes an entry as part of the caller's transaction.
     *
     * @param stream owned by this service; a stream is either sourced or row-kept, never both. The first committed write
     *     decides; whether one that was rolled back does so is not promised
     * @throws io.holdfast.PermanentException outside of a transaction, or if the stream is sourced
     * @throws io.holdfast.RetryableException if another transaction keeps the key for too long
     */
    OutboxEntry write(String stream, String key, NewEvent event);

    /**
     * Gives positions to committed entries that have none, at most {@code limit}. An entry that commits late gets a later
     * position, and is never skipped.
     *
     * @return how many
     */
    int assignPositions(int limit);

    /** How many committed entries have no position yet. */
    long countUnpositioned();

    /**
     * Removes entries from the log that were placed before a time and are at or below a position, and never what a
     * registered consumer group of the stream has not passed. The numbering of keys goes on as before, and so do the
     * head of the stream and the chain of previous positions: a reader that is not registered notices.
     *
     * @return how many were removed
     * @throws io.holdfast.PermanentException if the stream is sourced: its log is kept for ever
     */
    int evict(String stream, long upTo, Instant placedBefore);

    /** The streams that have been written to through the outbox. */
    List<String> streams();
}
