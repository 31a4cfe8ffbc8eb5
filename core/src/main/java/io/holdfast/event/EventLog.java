package io.holdfast.event;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The reading side of a service's log: append-only, one per service. Writing is the committer's alone.
 *
 * <p><b>Duty.</b> What a commit made durable is here, whole, from the moment that the commit is answered; what was not
 * committed is never here. Positions are gapless over the log, sequences gapless within a key, both in commit order. A
 * reader that has seen position P never later finds a new event at or below P.
 *
 * <p><b>Thread-safety.</b> Any number of threads.
 *
 * <p><b>Transaction.</b> None is expected and none is joined: every call sees what is committed, and one call sees one
 * moment.
 *
 * <p><b>Not promised.</b> That entries of row-kept streams are kept for ever (see {@code OutboxStore.evict}): a reader
 * notices by the chain of previous positions.
 */
public interface EventLog {

    LogIdentity identity();

    /** The lives of this log, oldest first; the last is that of {@link #identity}. */
    List<Epoch> epochs();

    /** The position of the newest event, or 0. */
    long position();

    /** The newest event of a stream; position 0 when there is none. */
    StreamHead head(String stream);

    /** The heads of all streams that have events, in the order of their names. */
    List<StreamHead> heads();

    /** Events of all streams at positions above {@code after}, in position order, at most {@code limit}. */
    List<EventMessage> readAll(long after, int limit);

    /** Events of one stream at positions above {@code after}, in position order, at most {@code limit}. */
    List<EventMessage> readStream(String stream, long after, int limit);

    /** Events of one key with sequences above {@code after}, in sequence order, at most {@code limit}. */
    List<EventMessage> readKey(String stream, String key, long after, int limit);

    /** Those of the given ids that exist, in position order. */
    List<EventMessage> find(Collection<UUID> ids);

    /** The newest snapshot of a key, if one was kept. */
    Optional<Snapshot> findSnapshot(String stream, String key);
}
