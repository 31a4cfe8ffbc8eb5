package io.holdfast.deadletter;

import io.holdfast.event.StreamPosition;
import java.util.Optional;

/** Position, saga and trace of a letter's event; available without decoding the payload. */
public record LetterContext(
        String stream, StreamPosition position, Optional<String> sagaId, Optional<String> traceparent) {}
