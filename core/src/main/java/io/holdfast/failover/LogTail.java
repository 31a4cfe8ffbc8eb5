package io.holdfast.failover;

import java.util.List;
import java.util.Optional;

/**
 * Reads the head of the log, and repairs a log that has lost its tail.
 *
 * <p><b>Thread safety.</b> Thread-safe, also across processes.
 */
public interface LogTail {

    /** More than the commits that a standby may lack: above all versions that lost tokens had. */
    long TOKEN_VERSIONS_AFTER_LOSS = 1 << 20;

    /** Reads the head without a lock. Also switches this process to an epoch that another one has started. */
    HeadReading readHead(Witnessed witnessed);

    /**
     * Determines, under the head lock, what the log has lost of what this process has seen. Starts a new epoch if events
     * were lost, at the highest position that is known to be unchanged, unless another replica has already done so. If
     * anything was lost, also raises the version of every token by {@link #TOKEN_VERSIONS_AFTER_LOSS}: what replicas
     * have built on lost tokens must be rejected, although the versions of lost commits are used again.
     *
     * @param verified the newest events that the log contained at the last check
     * @return empty if nothing was lost
     */
    Optional<TailLoss> startEpochAfterLoss(List<SeenEvent> verified, Witnessed witnessed);
}
