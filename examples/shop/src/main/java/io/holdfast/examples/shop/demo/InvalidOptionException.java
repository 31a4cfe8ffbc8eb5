package io.holdfast.examples.shop.demo;

/** An invalid command line. The message names the argument and what is allowed. */
final class InvalidOptionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidOptionException(String message) {
        super(message);
    }
}
