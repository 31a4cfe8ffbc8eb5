package io.holdfast.wire;

import io.holdfast.RetryableException;

/** The wire, or the service behind it, does not respond. Events wait in their log until it does. */
public final class WireUnavailableException extends RetryableException {

    public WireUnavailableException(String message) {
        super(message);
    }
}
