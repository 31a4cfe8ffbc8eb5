package io.holdfast.commit.group;

import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitTransaction;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes commit units durable. Each service process has one committer, and every unit goes through it.
 *
 * <p><b>Contract.</b> Units are decided one after another on the newest state. Each is all or nothing, completes only
 * after it is durable, and does not affect other units if it fails. Committing is idempotent: a unit that was
 * committed before is detected by the ids of its events or by its token, and changes nothing.
 *
 * <p><b>Thread safety.</b> Thread-safe.
 *
 * <p><b>Errors.</b> The future completes with a {@link UnitOutcome}, or fails with
 * <ul>
 *   <li>{@link CommitterBusyException} if the queue is full: nothing was committed, retry later;
 *   <li>{@link OutcomeUnknownException} if the store's response was lost, or did not arrive in time: submit the same unit again, with repeatable
 *       parts. A unit that changes rows but has neither events nor a token cannot be detected and may then take effect
 *       twice;
 *   <li>another {@code RetryableException} if the store is unavailable or the committer makes no progress: nothing was
 *       committed, retry later;
 *   <li>{@link StaleTokenException} if the unit's token has advanced or has another owner: nothing was committed;
 *   <li>another {@code PermanentException} if the store rejects the unit's content: nothing was committed.
 * </ul>
 * It completes on a thread of the committer. Callbacks must be short and must not block.
 */
public interface Committer {

    CompletableFuture<UnitOutcome> submit(CommitUnit unit);

    /**
     * Commits a unit in a transaction in which handlers have written application rows: the rows and the unit become
     * durable together. Call it on the thread that began the transaction; the unit's decisions run there too. Throws
     * what the future of {@link #submit} would fail with. A transaction that was not committed can only be closed.
     */
    UnitOutcome commitIn(UnitTransaction transaction, CommitUnit unit);

    /**
     * Call this before blocking on an outcome.
     *
     * @throws io.holdfast.PermanentException on the committer's own thread, which would wait for itself: in a
     *     decision, or in a callback of an outcome
     */
    void checkMayBlock();

    /**
     * Returns why the committer makes no progress; empty if it does, or has nothing to do. Meanwhile the replica is not
     * ready and does not renew its leases. Cheap; never waits for the store.
     */
    Optional<String> problem();
}
