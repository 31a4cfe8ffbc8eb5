package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions that Holdfast throws. The engine decides by branch, never by message text: a
 * {@link RetryableException} is worth another attempt, a {@link PermanentException} is not.
 *
 * <p>A message states what was attempted, on which id, what was found and what to do next. It never contains a secret
 * or a payload.
 */
public abstract sealed class HoldfastException extends RuntimeException permits RetryableException, PermanentException {

    protected HoldfastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
