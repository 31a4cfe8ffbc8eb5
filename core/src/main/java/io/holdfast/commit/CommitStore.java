package io.holdfast.commit;

import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.event.Epoch;
import io.holdfast.failover.LogTail;
import org.jspecify.annotations.Nullable;

/**
 * Opens the committer's transactions. Adapters implement it; applications do not call it.
 *
 * <p><b>Thread safety.</b> Thread-safe, also across processes: the head lock serializes their commits.
 */
public interface CommitStore extends LogTail {

    /**
     * Opens a transaction, without any lock.
     *
     * @throws io.holdfast.RetryableException if the store is unavailable
     */
    CommitSession open();

    /**
     * Starts a new epoch, after an operator restored the log from a backup. Readers that are past the log's newest
     * event stop; all others continue. Call it before the service starts.
     *
     * @param settlement committed together with the new epoch
     * @return the new epoch, which starts at the newest event
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    Epoch raiseEpoch(@Nullable Settlement settlement);

    /** As {@link #raiseEpoch(Settlement)}, without a settlement. */
    default Epoch raiseEpoch() {
        return raiseEpoch(null);
    }
}
