package io.holdfast.wire.source;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StartAt;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of a consumer's events: its own service's log, or another service over the wire. Returns the events of a
 * stream without gaps.
 *
 * <p>A source serves one consumer. Not thread-safe.
 */
public interface StreamSource {

    /**
     * Registers the consumer at the stream's source, which returns its start. Idempotent.
     *
     * @return empty if the stream's source has not responded yet; call again
     */
    Optional<StreamPosition> start(String stream, StartAt start);

    /**
     * Returns the events that follow a position, each directly after its predecessor in the stream.
     *
     * @return empty if there are none yet, or if the next ones are still being fetched
     * @throws StreamBrokenException if the source no longer has the next events, or is not the log that the position
     *     belongs to
     */
    List<EventMessage> read(String stream, StreamPosition after, int limit);

    /** Registers a short, non-blocking signal that runs when a response arrives, in addition to the wire's signals. */
    void onResponse(Runnable signal);

    /**
     * Returns whether the stream's source still contains the event at the reader's position, and where the reader can
     * continue.
     *
     * @return empty if the stream's source has not responded yet; call again
     * @throws StreamBrokenException if the source is another log, or in an older epoch
     */
    Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader);

    /** Returns the newest known position of the stream; empty if it is unknown. Only a hint. */
    Optional<Long> head(String stream);

    /**
     * Reports to the stream's source the position that the consumer has reached in all its segments, so that older
     * events may be removed. Reports may be lost; repeat them. Thread-safe.
     *
     * @param start where the consumer started, in case the source has lost its registration; null if unknown
     * @throws io.holdfast.RetryableException if the connection to the source is down
     */
    void report(String stream, @Nullable StreamPosition start, StreamPosition reached);
}
