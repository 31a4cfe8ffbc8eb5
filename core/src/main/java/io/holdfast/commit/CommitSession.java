package io.holdfast.commit;

import io.holdfast.event.EventMessage;
import io.holdfast.event.EventReader;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;

/**
 * One transaction of the committer. The committer reads, calls {@link #lockHead}, {@link #findChanged},
 * {@link #write} and {@link #commit} in this order, and {@link #close} in every case.
 *
 * <p><b>Contract.</b> Between {@link #lockHead} and {@link #close} no other session commits. Writes become visible
 * together when {@link #commit} returns, and never if {@code commit} was not called. Positions are assigned in the
 * order of the units and of their events, directly above the head.
 *
 * <p><b>Reads.</b> {@link #find}, {@link #readKeys} and {@link #findRows} return what is committed when they are
 * called; under the head lock that cannot change. They use the resources of this session only, for example its
 * connection: a session that waited for another one would make all sessions wait that need the head. Not allowed after
 * {@link #write}.
 *
 * <p><b>Thread safety.</b> Not thread-safe.
 *
 * <p><b>Errors.</b> {@code RetryableException} if the store is unavailable or busy; nothing was committed.
 * {@link OutcomeUnknownException} from {@code commit} only. Any other exception from {@code write} or {@code commit} means
 * that nothing was committed, because one of the units cannot be written and the store cannot determine which.
 */
public interface CommitSession extends EventReader, AutoCloseable {

    /** Returns the rows of these keys, in any order; {@link Row#neverWritten} for keys that were never written. */
    List<Row> findRows(Collection<RowKey> keys);

    /**
     * Locks the head and waits briefly for it. Until {@link #close}, only this session can commit.
     *
     * @param witnessed names the position whose event is read as well
     */
    HeadReading lockHead(Witnessed witnessed);

    /** Locks the head, without reading an event. */
    default void lockHead() {
        lockHead(Witnessed.NOTHING);
    }

    /**
     * Returns those of the keys and rows whose committed version is another than the given one, with the committed
     * version. Call it under the head lock only.
     */
    ReadVersions findChanged(ReadVersions read);

    /**
     * Writes units. Checks that every event follows the newest version of its key, that its id is new, that rows
     * follow their versions, and that each token is at the unit's version under the newest claim.
     *
     * @return the units that cannot be written, with the reason. If there are any, the session can only be closed.
     */
    List<Rejection> write(List<UnitWrites> units);

    /**
     * Makes all writes durable.
     *
     * @return the committed events with their positions, in the order in which they were written
     * @throws OutcomeUnknownException if the response was lost
     */
    List<EventMessage> commit();

    /** Rolls back uncommitted writes and unlocks the head. */
    @Override
    void close();
}
