package io.holdfast.deadletter;

import io.holdfast.PermanentException;

/**
 * How many sequences are processed again.
 *
 * @param perSecond how many are begun each second at most; 0 for no limit
 * @param canary whether one is processed first, and nothing else if that one fails again
 */
public record BulkReplaySettings(int perSecond, boolean canary) {

    /** As fast as it goes, and none before the others. */
    public static final BulkReplaySettings UNLIMITED = new BulkReplaySettings(0, false);

    public BulkReplaySettings {
        if (perSecond < 0) {
            throw new PermanentException(
                    "a bulk replay must begin 1 or more sequences a second, or 0 for no limit, but " + perSecond
                            + " was asked for");
        }
    }

    public BulkReplaySettings perSecond(int sequences) {
        return new BulkReplaySettings(sequences, canary);
    }

    public BulkReplaySettings canaryFirst() {
        return new BulkReplaySettings(perSecond, true);
    }
}
