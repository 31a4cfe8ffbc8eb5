package io.holdfast.failover;

import io.holdfast.RetryableException;

/**
 * The log lacks events or commits that this process has seen. Nothing was written. A retry succeeds after
 * the recovery of the tail has run.
 */
public final class TailLostException extends RetryableException {

    TailLostException(String what) {
        super(what
                + ": its database failed over to a standby without the newest commits, or was restored from a backup");
    }
}
