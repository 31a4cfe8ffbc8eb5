package io.holdfast.wire;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a consumer that is new to a stream starts. The stream's source resolves it, once, when the consumer registers.
 *
 * @param from what it starts from
 * @param time for {@link From#TIME}, else null
 */
public record StartAt(From from, @Nullable Instant time) {

    /** With the first event that is kept. */
    public static final StartAt BEGINNING = new StartAt(From.BEGINNING, null);
    /** With the first event after it registered. */
    public static final StartAt NOW = new StartAt(From.NOW, null);

    public StartAt {
        if ((from == From.TIME) != (time != null)) {
            throw new IllegalArgumentException("a time belongs to a start at a time, and only there");
        }
    }

    /** With the first event that occurred at a time or later, by the clocks of those who decided. */
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
