package io.holdfast.wire.source;

import io.holdfast.PermanentException;

/**
 * A reader cannot continue from its position: events were removed, or the source was replaced or went back in time.
 * The reader stops until an operator decides. Nothing is skipped.
 */
public final class StreamBrokenException extends PermanentException {

    public StreamBrokenException(String message) {
        super(message);
    }
}
