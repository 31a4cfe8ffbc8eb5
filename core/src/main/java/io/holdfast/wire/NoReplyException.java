package io.holdfast.wire;

import java.time.Duration;

/**
 * A replica did not reply in time. <b>The outcome is unknown</b>: the request may have been served, may still be, or may
 * have been lost. Repeat it under the same id.
 */
public final class NoReplyException extends WireUnavailableException {

    public NoReplyException(OperationRequest request, String replica, Duration timeout) {
        this(request, replica, "no reply within " + timeout);
    }

    /** @param reason why no reply is known */
    public NoReplyException(OperationRequest request, String replica, String reason) {
        super(request + " at replica " + replica + ": " + reason
                + "; it may have been served, so repeat it only under the same id");
    }
}
