package io.holdfast.event;

/** The type and revision of a snapshot's encoded state. A snapshot of another format cannot be decoded. */
public record SnapshotFormat(String type, int revision) {

    /** Returns whether the snapshot has this format. */
    public boolean fits(Snapshot snapshot) {
        return snapshot.state().type().equals(type) && snapshot.state().revision() == revision;
    }
}
