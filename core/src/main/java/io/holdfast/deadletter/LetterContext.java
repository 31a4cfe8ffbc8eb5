package io.holdfast.deadletter;

import io.holdfast.event.StreamPosition;
import java.util.Optional;

/** What is known of the event of a letter without decoding it: its place, the saga and the trace that it was part of. */
public record LetterContext(
        String stream, StreamPosition position, Optional<String> sagaId, Optional<String> traceparent) {}
