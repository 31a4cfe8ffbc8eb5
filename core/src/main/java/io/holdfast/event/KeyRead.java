package io.holdfast.event;

import org.jspecify.annotations.Nullable;

/**
 * Which part of a key's history to read.
 *
 * @param after the history has the events with versions above this one
 * @param snapshot if the key has a snapshot of this format, the history has the snapshot, its last event and the
 *     events after it; null to read no snapshot
 */
public record KeyRead(String stream, String key, long after, @Nullable SnapshotFormat snapshot) {

    /** Reads events only. */
    public static KeyRead after(String stream, String key, long version) {
        return new KeyRead(stream, key, version, null);
    }

    /** Reads the snapshot, its last event and those after it; all events if no snapshot has this format. */
    public static KeyRead from(String stream, String key, SnapshotFormat snapshot) {
        return new KeyRead(stream, key, 0, snapshot);
    }
}
