package io.holdfast.outbox;

import java.util.UUID;

/**
 * What a write to the outbox will be known as, once its transaction commits.
 *
 * @param version within the key
 */
public record OutboxEntry(UUID id, long version) {}
