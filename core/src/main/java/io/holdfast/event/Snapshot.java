package io.holdfast.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key at a version, stored so that loading does not fold all events. It is only an optimization: if
 * a snapshot is lost or cannot be decoded, loading takes longer.
 *
 * @param version the version of the last event that is included
 * @param lastEvent its id, or null in a snapshot of an older release. A key whose event at this version has another id
 *     has lost the events that the snapshot includes.
 * @param state the encoded state; its type, which includes a hash of the aggregate's shape, and its revision say which
 *     versions of the service can read it
 */
public record Snapshot(String stream, String key, long version, @Nullable UUID lastEvent, Payload state) {}
