package io.holdfast.wire;

import io.holdfast.RetryableException;

/** The wire, or the service behind it, does not respond. Events wait in their log until it does. */
public sealed class WireUnavailableException extends RetryableException
        permits NoLiveReplicaException, NoReplyException {

    public WireUnavailableException(String message) {
        super(message);
    }
}
