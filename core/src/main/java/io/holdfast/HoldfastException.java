package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that Holdfast throws. It has two branches, and the engine decides by branch, never by text:
 * {@link RetryableException} is worth another try, {@link PermanentException} is not.
 *
 * <p>A message says what was tried, on which id, what was found and what to do next. It never holds a secret or a
 * payload.
 */
public abstract sealed class HoldfastException extends RuntimeException permits RetryableException, PermanentException {

    protected HoldfastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
