package io.holdfast.examples.shop.demo;

/** The command line cannot be understood; the message says what would be. */
final class InvalidOptionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidOptionException(String message) {
        super(message);
    }
}
