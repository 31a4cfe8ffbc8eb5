package io.holdfast.event;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The read side of a service's append-only log. Only the committer and, for outbox streams, the outbox store write to
 * it.
 *
 * <p><b>Contract.</b> Committed events are visible, completely, from the moment that the commit returns; uncommitted
 * ones never are. Positions are gapless within the log and versions within a key, both in commit order. A reader that
 * has read position P never finds a new event at or below P later.
 *
 * <p><b>Thread safety.</b> Thread-safe.
 *
 * <p><b>Transaction.</b> Expects none and joins none. Every call reads a consistent snapshot of the committed events.
 *
 * <p><b>Not guaranteed.</b> Events of outbox streams are not retained forever (see {@code OutboxStore.evict}). A
 * reader detects this by the chain of previous positions.
 */
public interface EventLog extends EventReader {

    LogIdentity identity();

    /** Returns the epochs of this log, oldest first; the last is that of {@link #identity}. */
    List<Epoch> epochs();

    /** Returns the position of the newest event, or 0. */
    long position();

    /** Returns the newest event of a stream; position 0 if the stream is empty. */
    StreamHead head(String stream);

    /** Returns the heads of all streams that have events, ordered by name. */
    List<StreamHead> heads();

    /** Returns events of all streams at positions above {@code after}, in position order, at most {@code limit}. */
    List<EventMessage> readAll(long after, int limit);

    /** Returns events of one stream at positions above {@code after}, in position order, at most {@code limit}. */
    List<EventMessage> readStream(String stream, long after, int limit);

    /** Returns events of one key with versions above {@code after}, in version order, at most {@code limit}. */
    List<EventMessage> readKey(String stream, String key, long after, int limit);

    /**
     * Returns the first event of a stream, in position order, that occurred at a time or later. Times are those of the
     * replicas that decided the events, and need not increase with the positions. So a store may have to examine every
     * event before the result; each of its queries must be bounded.
     */
    Optional<EventMessage> findFirst(String stream, Instant occurredAtOrLater);

    /** Returns the newest snapshot of a key, if one is stored. */
    Optional<Snapshot> findSnapshot(String stream, String key);
}
