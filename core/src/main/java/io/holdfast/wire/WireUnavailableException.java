package io.holdfast.wire;

import io.holdfast.RetryableException;

/** The wire, or the service behind it, does not answer. Events wait in their log meanwhile. */
public final class WireUnavailableException extends RetryableException {

    public WireUnavailableException(String message) {
        super(message);
    }
}
