package io.holdfast.examples.shop.demo;

import org.jspecify.annotations.Nullable;

/** The command line cannot be understood. */
final class WrongOptionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongOptionException(String message) {
        this(message, null);
    }

    WrongOptionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
