package io.holdfast.commit;

import io.holdfast.event.Epoch;

/**
 * The durable side of the committer: adapters implement it, nobody else calls it.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes may open sessions; the head makes their commits follow one
 * another.
 */
public interface CommitStore {

    /**
     * Opens a transaction that holds nothing yet.
     *
     * @throws io.holdfast.RetryableException if the store is not there
     */
    CommitSession open();

    /**
     * Begins a new epoch: an operator says that the log was restored from a backup. Whoever has read further than the log
     * now goes is stopped, everybody else goes on. To be called before the service starts; other processes that have the
     * log open must be started anew.
     *
     * @return the new epoch, which began at the newest event
     */
    Epoch raiseEpoch();
}
