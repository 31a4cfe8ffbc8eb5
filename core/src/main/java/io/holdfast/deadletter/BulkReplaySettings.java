package io.holdfast.deadletter;

import io.holdfast.PermanentException;

/**
 * Rate limit and canary of a bulk replay.
 *
 * @param perSecond the maximum number of sequences started per second; 0 for no limit
 * @param canary whether one sequence is replayed first; if it fails again, no other is started
 */
public record BulkReplaySettings(int perSecond, boolean canary) {

    /** No rate limit, no canary. */
    public static final BulkReplaySettings UNLIMITED = new BulkReplaySettings(0, false);

    public BulkReplaySettings {
        if (perSecond < 0) {
            throw new PermanentException(
                    "perSecond of a bulk replay must be 1 or more, or 0 for no limit, but is " + perSecond);
        }
    }

    public BulkReplaySettings perSecond(int sequences) {
        return new BulkReplaySettings(sequences, canary);
    }

    public BulkReplaySettings canaryFirst() {
        return new BulkReplaySettings(perSecond, true);
    }
}
