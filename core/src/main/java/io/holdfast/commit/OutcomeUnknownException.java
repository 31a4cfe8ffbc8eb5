package io.holdfast.commit;

import io.holdfast.RetryableException;
import org.jspecify.annotations.Nullable;

/** It is not known whether a unit was committed. The same unit, submitted again as repeatable, takes effect once. */
public final class OutcomeUnknownException extends RetryableException {

    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
