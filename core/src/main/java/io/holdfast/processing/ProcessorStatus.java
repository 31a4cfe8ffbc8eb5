package io.holdfast.processing;

import io.holdfast.event.StreamPosition;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a processor is doing.
 *
 * @param claimed whether this replica works on it
 * @param positions how far it has come, by stream, as far as this replica knows
 * @param heldBy the event that cannot be handled, if the processor is held by one
 * @param failures how often it failed in a row
 * @param error what it failed with
 * @param stoppedStreams streams that cannot be read on, with the reason and what to do
 */
public record ProcessorStatus(
        boolean claimed,
        Map<String, StreamPosition> positions,
        Optional<UUID> heldBy,
        int failures,
        Optional<String> error,
        Map<String, String> stoppedStreams) {}
