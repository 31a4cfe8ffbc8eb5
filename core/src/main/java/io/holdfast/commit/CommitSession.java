package io.holdfast.commit;

import io.holdfast.event.EventMessage;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import java.util.List;

/**
 * One transaction of the committer. The committer calls the methods in the order of their declaration, and
 * {@link #close} in every case.
 *
 * <p><b>Contract.</b> Between {@link #lockHead} and {@link #close} no other session commits. Writes become visible
 * together when {@link #commit} returns, and never if {@code commit} was not called. Positions are assigned in the
 * order of the units and of their events, directly above the head.
 *
 * <p><b>Thread safety.</b> Not thread-safe.
 *
 * <p><b>Errors.</b> {@code RetryableException} if the store is unavailable or busy; nothing was committed.
 * {@link OutcomeUnknownException} from {@code commit} only. Any other exception from {@code write} means that one of
 * the units cannot be written and the store cannot determine which.
 */
public interface CommitSession extends AutoCloseable {

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

    /** Returns whether any of these versions is no longer the committed one. Call it under the head lock only. */
    boolean isStale(ReadVersions versions);

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
