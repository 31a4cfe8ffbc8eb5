package io.holdfast.wire;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a new consumer of a stream starts. The stream's source resolves it once, when the consumer registers.
 *
 * @param from the kind of start
 * @param time for {@link From#TIME}, otherwise null
 */
public record StartAt(From from, @Nullable Instant time) {

    /** At the first retained event. */
    public static final StartAt BEGINNING = new StartAt(From.BEGINNING, null);
    /** At the first event after the registration. */
    public static final StartAt NOW = new StartAt(From.NOW, null);

    public StartAt {
        if ((from == From.TIME) != (time != null)) {
            throw new IllegalArgumentException(
                    "a start needs a time if it is of kind TIME, and must not have one otherwise");
        }
    }

    /**
     * At the first event, in position order, that occurred at this time or later, by the clocks of the replicas that
     * decided the events. Later events of the stream follow, also those that occurred earlier because the clocks differ
     * or were set; none that occurred at this time or later is skipped.
     */
    public static StartAt at(Instant time) {
        return new StartAt(From.TIME, time);
    }

    /** The kinds of start. */
    public enum From {
        BEGINNING,
        NOW,
        TIME
    }
}
