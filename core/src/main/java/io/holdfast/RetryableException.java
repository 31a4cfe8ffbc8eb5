package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Something that may pass: the same call can succeed later, unchanged. */
public non-sealed class RetryableException extends HoldfastException {

    public RetryableException(String message) {
        this(message, null);
    }

    public RetryableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
