package io.holdfast.idempotency;

import io.holdfast.event.Names;

/**
 * Identifies one piece of work of one consumer. The consumer is part of the key because several consumers may process
 * the same event; otherwise only the first would run.
 */
public record IdempotencyKey(String consumer, String work) {

    public IdempotencyKey {
        Names.require("consumer of an idempotency key", consumer);
        Names.require("work of an idempotency key", work);
    }
}
