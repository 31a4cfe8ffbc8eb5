package io.holdfast.examples.shop.launcher;

/** The shop could not be started; the message says why, and what to do. */
public final class ShopStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ShopStartException(String message) {
        super(message);
    }

    public ShopStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
