package io.holdfast.wire;

import io.holdfast.PermanentException;

/**
 * A stream cannot be read on from where its reader stands: events were removed, or the source was replaced or went back
 * in time. Reading stops; an operator decides. Nothing is skipped.
 */
public final class StreamBrokenException extends PermanentException {

    public StreamBrokenException(String message) {
        super(message);
    }
}
