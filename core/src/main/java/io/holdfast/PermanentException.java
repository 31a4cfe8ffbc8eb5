package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Something that the same call will meet again: the input, the configuration or the stored state must change first. */
public non-sealed class PermanentException extends HoldfastException implements NonRetryableException {

    public PermanentException(String message) {
        this(message, null);
    }

    public PermanentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
