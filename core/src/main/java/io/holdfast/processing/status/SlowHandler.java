package io.holdfast.processing.status;

import java.time.Instant;
import java.util.UUID;

/**
 * A synchronous handler that has exceeded its timeout. It is not interrupted, because an interrupt could close a
 * database.
 *
 * @param stack the stack trace of its thread
 */
public record SlowHandler(String component, UUID event, String type, Instant since, String stack) {}
