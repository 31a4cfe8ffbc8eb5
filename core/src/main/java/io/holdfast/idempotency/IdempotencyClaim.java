package io.holdfast.idempotency;

/**
 * Ownership of a piece of work, until its lease expires.
 *
 * @param fence the fencing token; every claim of the key increases it
 */
public record IdempotencyClaim(IdempotencyKey key, long fence) {}
