package io.holdfast.commit;

import java.util.concurrent.CompletableFuture;

/**
 * Makes units durable. One per service process; everything durable that belongs together goes through it.
 *
 * <p><b>Duty.</b> Units are decided one after another on the newest state, each all or nothing, and answered after they
 * are durable, never before. A unit that fails takes no other with it. Committing again what was committed before
 * (recognised by the ids of its events, or by its token) changes nothing.
 *
 * <p><b>Thread-safety.</b> Any number of threads.
 *
 * <p><b>The future</b> gives a {@link UnitOutcome}, or fails with
 * <ul>
 *   <li>{@link CommitterBusyException} if too many units wait: nothing was done, try again later;
 *   <li>{@link OutcomeUnknownException} if the store's answer was lost: submit the same unit again, its parts repeatable.
 *       A unit that has neither events nor a token but changes rows cannot be recognised, and may take effect twice then;
 *   <li>another {@code RetryableException} if the store is not there: nothing was done, try again later;
 *   <li>{@link StaleTokenException} if the unit's token has moved or is another's now: nothing was done;
 *   <li>another {@code PermanentException} if the store refuses the unit's content: nothing was done.
 * </ul>
 * It completes on the committer's thread: what is chained to it must be short and must not block.
 */
public interface Committer {

    CompletableFuture<UnitOutcome> submit(CommitUnit unit);

    /**
     * Commits a unit in a transaction that handlers have written rows in: the rows and the unit become durable together. On
     * the thread that the transaction was begun on, which the unit's decisions run on too. Throws what the future of
     * {@link #submit} fails with. Unless it was committed, the transaction is of no further use but to be closed.
     */
    UnitOutcome commitIn(UnitTransaction transaction, CommitUnit unit);

    /**
     * To be called before waiting for an answer.
     *
     * @throws io.holdfast.PermanentException on the committer's own thread, which would wait for itself: in a decision, or in
     *     what is chained to an answer
     */
    void checkMayBlock();
}
