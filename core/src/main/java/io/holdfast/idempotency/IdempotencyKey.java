package io.holdfast.idempotency;

import io.holdfast.event.Names;

/**
 * What is claimed: one piece of work of one consumer. Without the consumer's name, a second consumer of the same event
 * would be starved by the first.
 */
public record IdempotencyKey(String consumer, String work) {

    public IdempotencyKey {
        Names.require("consumer of an idempotency key", consumer);
        Names.require("work of an idempotency key", work);
    }
}
