package io.holdfast.commit;

import io.holdfast.RetryableException;

/** Backpressure: the committer's queue is full. Nothing was committed; the caller retries later. */
public final class CommitterBusyException extends RetryableException {

    public CommitterBusyException(int waiting) {
        super("the committer's queue is full (" + waiting + " units waiting); nothing was committed, retry later");
    }
}
