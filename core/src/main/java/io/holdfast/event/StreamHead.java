package io.holdfast.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The newest event of a stream.
 *
 * @param stream the stream
 * @param log the log that contains it
 * @param position the position of its newest event, or 0 if it is empty
 * @param id the id of its newest event, or null if it is empty
 */
public record StreamHead(String stream, LogIdentity log, long position, @Nullable UUID id) {

    public StreamPosition streamPosition() {
        return new StreamPosition(log, position, id);
    }
}
