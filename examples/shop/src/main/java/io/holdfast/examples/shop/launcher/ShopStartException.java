package io.holdfast.examples.shop.launcher;

/** The shop cannot be started, stopped or reset as requested. The message states the cause and what to do. */
public final class ShopStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ShopStartException(String message) {
        super(message);
    }

    public ShopStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
