package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Not retryable: the same call fails again until the input, the configuration or the stored state changes. */
public non-sealed class PermanentException extends HoldfastException implements NonRetryableException {

    public PermanentException(String message) {
        this(message, null);
    }

    public PermanentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
