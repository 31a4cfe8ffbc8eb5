package io.holdfast.saga;

import java.time.Instant;

/**
 * An event that a saga awaits.
 *
 * @param stepNumber the step that it belongs to
 * @param eventType the type of the event; the most likely one if several would do
 * @param service the service that is to append it
 * @param since when the saga began to await it
 */
public record ExpectedEvent(int stepNumber, String eventType, String service, Instant since) {}
