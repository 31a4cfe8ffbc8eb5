package io.holdfast.outbox;

import java.util.UUID;

/**
 * The id and version that an outbox entry has once its transaction commits.
 *
 * @param version the version within the key
 */
public record OutboxEntry(UUID id, long version) {}
