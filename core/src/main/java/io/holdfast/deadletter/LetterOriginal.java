package io.holdfast.deadletter;

import java.util.UUID;

/**
 * The payload of a letter before an operator edited it. Kept as long as the entry.
 *
 * @param component the stable id of the component
 * @param event the id of the parked event
 * @param action the id of the action that replaced the payload
 * @param json the payload before that
 */
public record LetterOriginal(String component, UUID event, String action, String json) {}
