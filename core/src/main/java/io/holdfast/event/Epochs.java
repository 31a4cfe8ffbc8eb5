package io.holdfast.event;

import java.util.List;

/** Maps positions of older epochs to the newest one. */
public final class Epochs {

    private Epochs() {}

    /**
     * Returns how much of the newest epoch a reader from an older epoch has read: its own position, but at most the
     * position at which a later epoch started, because the events above it are lost.
     */
    public static long positionInNewestEpoch(StreamPosition reader, List<Epoch> epochs) {
        long position = reader.position();
        for (Epoch epoch : epochs) {
            if (epoch.number() > reader.log().epoch()) {
                position = Math.min(position, epoch.startPosition());
            }
        }
        return position;
    }
}
