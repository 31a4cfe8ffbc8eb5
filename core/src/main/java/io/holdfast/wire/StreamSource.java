package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import java.util.List;
import java.util.Optional;

/**
 * Where a consumer's events come from: its own service's log, or another's over the wire. Gives events of a stream
 * without a gap, or nothing.
 *
 * <p>A source serves one consumer, on one thread at a time.
 */
public interface StreamSource {

    /**
     * Makes the consumer known to the stream's source, which says where it starts; the same if it is asked again.
     *
     * @return empty if the stream's source does not answer yet; ask again
     */
    Optional<StreamPosition> start(String stream, StartAt start);

    /**
     * The events that follow a position, each one directly behind the one before it in the stream.
     *
     * @return empty if there are none yet, or what comes next is still being fetched
     * @throws StreamBrokenException if the source no longer has what follows, or is not the log that the position
     *     belongs to
     */
    List<EventMessage> read(String stream, StreamPosition after, int limit);

    /** Runs a short, non-blocking signal when something that was asked for has come. Beside what the wire signals. */
    void onResponse(Runnable signal);

    /**
     * Where a reader stands in the newest epoch of the stream's source: as far as it has come, but not beyond where the
     * source was restored to.
     *
     * @return empty if the stream's source does not answer yet; ask again
     * @throws StreamBrokenException if the source is another log, or in an older epoch
     */
    Optional<StreamPosition> positionAfterRestore(String stream, StreamPosition reader);

    /** The newest position of the stream that is known; empty if none is. Only a hint. */
    Optional<Long> head(String stream);

    /**
     * Tells the stream's source how far the consumer has come in all of its segments, so that it knows what it may
     * remove. To be repeated; it may get lost. For any thread.
     *
     * @throws io.holdfast.RetryableException if the way to the source is down
     */
    void report(String stream, StreamPosition reached);
}
