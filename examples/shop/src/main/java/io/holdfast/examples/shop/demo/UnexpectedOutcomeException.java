package io.holdfast.examples.shop.demo;

/** The shop has not done what it must; the message says what was expected and what was found. */
final class UnexpectedOutcomeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnexpectedOutcomeException(String message) {
        super(message);
    }
}
