package io.holdfast.commit;

import io.holdfast.RetryableException;
import org.jspecify.annotations.Nullable;

/** It is unknown whether a unit was committed. Submit the same unit again as repeatable, and it takes effect once. */
public final class OutcomeUnknownException extends RetryableException {

    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
