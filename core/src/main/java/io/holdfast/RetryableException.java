package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Transient: the same call, unchanged, can succeed later. */
public non-sealed class RetryableException extends HoldfastException {

    public RetryableException(String message) {
        this(message, null);
    }

    public RetryableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
