package io.holdfast.examples.shop.demo;

/** The shop did not behave as expected. The message states what was expected and what was found. */
final class UnexpectedOutcomeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnexpectedOutcomeException(String message) {
        super(message);
    }
}
