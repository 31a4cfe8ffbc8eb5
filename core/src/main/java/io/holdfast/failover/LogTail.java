package io.holdfast.failover;

import java.util.List;
import java.util.Optional;

/**
 * Reads the head of the log, and repairs a log that has lost its tail.
 *
 * <p><b>Thread safety.</b> Thread-safe, also across processes.
 */
public interface LogTail {

    /** Reads the head without a lock. Also switches this process to an epoch that another one has started. */
    HeadReading readHead(Witnessed witnessed);

    /**
     * Determines, under the head lock, what the log has lost of what this process has seen. Starts a new epoch if events
     * were lost, at the highest position that is known to be unchanged, unless another replica has already done so.
     *
     * @param verified the newest events that the log contained at the last check
     * @return empty if nothing was lost
     */
    Optional<TailLoss> startEpochAfterLoss(List<SeenEvent> verified, Witnessed witnessed);
}
