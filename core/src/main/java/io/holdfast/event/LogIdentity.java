package io.holdfast.event;

import java.util.UUID;

/**
 * Identifies a log and its epoch.
 *
 * @param id assigned when the log is created; never changes
 * @param epoch 1 at first; restoring the database from a backup raises it
 */
public record LogIdentity(UUID id, int epoch) {}
