package io.holdfast.event;

import java.util.List;

/** What the lives of a log mean for who has read it. */
public final class Epochs {

    private Epochs() {}

    /**
     * How far a reader that came to a position in an older epoch can have come in the newest: what stood above where a
     * later epoch began is forgotten.
     */
    public static long positionInNewestEpoch(StreamPosition reader, List<Epoch> epochs) {
        long carried = reader.position();
        for (Epoch epoch : epochs) {
            if (epoch.number() > reader.log().epoch()) {
                carried = Math.min(carried, epoch.startPosition());
            }
        }
        return carried;
    }
}
