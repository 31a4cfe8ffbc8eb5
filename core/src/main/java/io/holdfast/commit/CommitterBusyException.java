package io.holdfast.commit;

import io.holdfast.RetryableException;

/** More units wait than the committer's queue holds. Nothing was done; the caller should come back later. */
public final class CommitterBusyException extends RetryableException {

    public CommitterBusyException(int waiting) {
        super("the committer has " + waiting
                + " units waiting and takes no more now; nothing was done, try again later");
    }
}
