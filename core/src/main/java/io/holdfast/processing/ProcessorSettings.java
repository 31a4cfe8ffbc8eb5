package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.token.SegmentLease;
import java.time.Duration;

/**
 * How a processor works: {@code framework.processors.<name>.*}.
 *
 * @param segments how many shares its events have when it starts for the first time; later they are split and merged
 * @param batch how many events of a segment are handled and committed together at most
 * @param handlerTimeout how long a handler may take before it shows, and an asynchronous one is given up
 * @param lease how long a replica that says nothing keeps its segments
 */
public record ProcessorSettings(int segments, int batch, Duration handlerTimeout, Duration lease) {

    public static final int DEFAULT_SEGMENTS = 16;
    public static final int DEFAULT_BATCH = 500;
    public static final Duration DEFAULT_HANDLER_TIMEOUT = Duration.ofSeconds(60);

    /** How far events may be handled above one that has not ended. */
    public static final int MAX_AHEAD = 1_000;

    public static final int MAX_SEGMENTS = 1_024;

    public static final ProcessorSettings DEFAULT =
            new ProcessorSettings(DEFAULT_SEGMENTS, DEFAULT_BATCH, DEFAULT_HANDLER_TIMEOUT, SegmentLease.DEFAULT_LEASE);

    public ProcessorSettings {
        require("segments", segments, 1, MAX_SEGMENTS);
        require("batch-size", batch, 1, Integer.MAX_VALUE);
        requirePositive("handler-timeout", handlerTimeout);
        requirePositive("lease", lease);
    }

    public ProcessorSettings segments(int count) {
        return new ProcessorSettings(count, batch, handlerTimeout, lease);
    }

    public ProcessorSettings batch(int events) {
        return new ProcessorSettings(segments, events, handlerTimeout, lease);
    }

    public ProcessorSettings handlerTimeout(Duration timeout) {
        return new ProcessorSettings(segments, batch, timeout, lease);
    }

    public ProcessorSettings lease(Duration duration) {
        return new ProcessorSettings(segments, batch, handlerTimeout, duration);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new PermanentException(what + " of a processor must be " + least
                    + (most == Integer.MAX_VALUE ? " or more" : " to " + most) + ", but is " + value);
        }
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new PermanentException(what + " of a processor must be longer than 0, but is " + value);
        }
    }
}
