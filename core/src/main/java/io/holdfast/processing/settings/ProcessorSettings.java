package io.holdfast.processing.settings;

import io.holdfast.PermanentException;
import io.holdfast.worker.SegmentLease;
import java.time.Duration;

/**
 * The settings of a processor: {@code framework.processors.<name>.*}.
 *
 * @param segments the number of segments at the first start; later they are split and merged
 * @param batch the maximum number of events of a segment that are handled and committed together
 * @param handlerTimeout the time after which a synchronous handler is reported as slow and an asynchronous one fails
 * @param lease the time after which a silent replica loses its segments
 * @param commitInterval the shortest time between two commits of a segment; zero to commit as soon as possible. A
 *     processor that need not be immediate reads, handles and commits in fewer and larger batches, which costs less
 */
public record ProcessorSettings(
        int segments, int batch, Duration handlerTimeout, Duration lease, Duration commitInterval) {

    public static final int DEFAULT_SEGMENTS = 16;
    public static final int DEFAULT_BATCH = 500;
    public static final Duration DEFAULT_HANDLER_TIMEOUT = Duration.ofSeconds(60);

    /** The maximum number of events handled above one that is still running. */
    public static final int MAX_AHEAD = 1_000;

    public static final int MAX_SEGMENTS = 1_024;

    /** Leases are renewed, and operators' requests served, between commits. */
    public static final Duration MAX_COMMIT_INTERVAL = Duration.ofSeconds(1);

    private static final int LEASE_FRACTION = 10;

    public static final ProcessorSettings DEFAULT =
            new ProcessorSettings(DEFAULT_SEGMENTS, DEFAULT_BATCH, DEFAULT_HANDLER_TIMEOUT, SegmentLease.DEFAULT_LEASE);

    /** Creates settings without a commit interval. */
    public ProcessorSettings(int segments, int batch, Duration handlerTimeout, Duration lease) {
        this(segments, batch, handlerTimeout, lease, Duration.ZERO);
    }

    public ProcessorSettings {
        require("segments", segments, 1, MAX_SEGMENTS);
        require("batch-size", batch, 1, Integer.MAX_VALUE);
        requirePositive("handler-timeout", handlerTimeout);
        requirePositive("lease", lease);
        if (commitInterval.isNegative()
                || commitInterval.compareTo(MAX_COMMIT_INTERVAL) > 0
                || commitInterval.compareTo(lease.dividedBy(LEASE_FRACTION)) > 0) {
            throw new PermanentException("commit-interval of a processor must be 0 to " + MAX_COMMIT_INTERVAL
                    + " and at most 1/" + LEASE_FRACTION + " of its lease, but is " + commitInterval);
        }
    }

    public ProcessorSettings segments(int count) {
        return new ProcessorSettings(count, batch, handlerTimeout, lease, commitInterval);
    }

    public ProcessorSettings batch(int events) {
        return new ProcessorSettings(segments, events, handlerTimeout, lease, commitInterval);
    }

    public ProcessorSettings handlerTimeout(Duration timeout) {
        return new ProcessorSettings(segments, batch, timeout, lease, commitInterval);
    }

    public ProcessorSettings lease(Duration duration) {
        return new ProcessorSettings(segments, batch, handlerTimeout, duration, commitInterval);
    }

    public ProcessorSettings commitInterval(Duration interval) {
        return new ProcessorSettings(segments, batch, handlerTimeout, lease, interval);
    }

    private static void require(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new PermanentException(what + " of a processor must be " + min
                    + (max == Integer.MAX_VALUE ? " or more" : " to " + max) + ", but is " + value);
        }
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new PermanentException(what + " of a processor must be positive, but is " + value);
        }
    }
}
