package io.holdfast.event;

import java.util.UUID;

/**
 * Which log, and which life of it.
 *
 * @param id given when the log is created, never changed
 * @param epoch 1 at first; a restore from a backup raises it
 */
public record LogIdentity(UUID id, int epoch) {}
