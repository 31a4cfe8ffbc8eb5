package io.holdfast.idempotency;

/**
 * The right to do a piece of work.
 *
 * @param fence raised by every claim of the key
 */
public record IdempotencyClaim(IdempotencyKey key, long fence) {}
