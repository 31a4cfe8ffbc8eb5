package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.Map;

/**
 * How far one segment of a consumer has come.
 *
 * @param segment the segment
 * @param version how often it was advanced; a commit names the version that it advances from
 * @param positions by stream: everything at or below has been dealt with, for ever
 */
public record Token(Segment segment, long version, Map<String, StreamPosition> positions) {

    public Token {
        positions = Map.copyOf(positions);
    }
}
