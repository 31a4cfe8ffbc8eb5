package io.holdfast.wire;

import java.time.Instant;

/**
 * A service that has announced itself at some time.
 *
 * @param firstSeen when it was first seen, on the store's clock
 * @param lastSeen when it was last seen, on the store's clock, up to a minute before its last announcement
 */
public record KnownService(String name, Instant firstSeen, Instant lastSeen) {}
