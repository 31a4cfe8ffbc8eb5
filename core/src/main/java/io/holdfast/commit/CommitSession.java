package io.holdfast.commit;

import java.util.List;

/**
 * One transaction of the committer. The calls come in the order in which they stand here; {@link #close} always.
 *
 * <p><b>Duty.</b> Between {@link #lockHead} and {@link #close} no other session commits. Nothing that was written is
 * visible before {@link #commit} returns, all of it afterwards, and none of it ever if {@code commit} was not called.
 * Positions are given in the order of the units and of the events within them, directly above the head.
 *
 * <p><b>Thread-safety.</b> One thread.
 *
 * <p><b>Errors.</b> {@code RetryableException} where the store is not there or busy, nothing having been committed;
 * {@link OutcomeUnknownException} from {@code commit} alone; any other exception from {@code write} means that some unit
 * in it cannot be written, and the store cannot tell which.
 */
public interface CommitSession extends AutoCloseable {

    /**
     * Waits, not for long, until this session is the one that may commit.
     *
     * @return a number that every commit of anybody raises: if it is as this process left it, nothing has changed since
     */
    long lockHead();

    /** Whether any of these versions is no longer the committed one. Only under the head. */
    boolean isStale(ReadVersions versions);

    /**
     * Writes units. Checks that every event follows its key's newest (by sequence), that no event id exists, that rows
     * follow their versions and that tokens are where the units say, under their newest claim.
     *
     * @return the units that cannot be written, with the reason; if there are any, the session is of no further use but
     *     to be closed
     */
    List<Rejection> write(List<UnitWrites> units);

    /**
     * Makes all of it durable.
     *
     * @return what was committed
     * @throws OutcomeUnknownException if the answer was lost
     */
    CommitResult commit();

    /** Undoes what was not committed and lets the head go. */
    @Override
    void close();
}
