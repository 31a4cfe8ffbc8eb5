package io.holdfast.event;

/**
 * The state of one key at a version, stored so that loading does not fold all events. It is only an optimization: if
 * a snapshot is lost or cannot be decoded, loading takes longer.
 *
 * @param version the version of the last event that is included
 * @param state the encoded state; its type, which includes a hash of the aggregate's shape, and its revision say which
 *     versions of the service can read it
 */
public record Snapshot(String stream, String key, long version, Payload state) {}
