package io.holdfast.processing;

import io.holdfast.RetryableException;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Token;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.StreamSource;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the sources of a processor's streams how far it has come: the lowest position of all segments. Any replica may
 * tell it; what is told is what is stored. For one thread.
 */
public final class PositionReports {

    public static final Duration EVERY = Duration.ofSeconds(1);
    /** What has not changed is told again from time to time, as a report may get lost. */
    private static final int REPEAT_AFTER = 30;

    private static final Logger log = LoggerFactory.getLogger(PositionReports.class);

    private final TokenStore tokens;
    private final String processor;
    private final Map<String, StreamSource> streams;
    private final Map<String, StreamPosition> told = new HashMap<>();
    private int steps;

    public PositionReports(TokenStore tokens, String processor, Map<String, StreamSource> streams) {
        this.tokens = tokens;
        this.processor = processor;
        this.streams = Map.copyOf(streams);
    }

    /** Runs on a thread of its own until the worker is closed. */
    public Worker start() {
        return Worker.start("holdfast-reports-" + processor, this::step);
    }

    public Duration step() {
        if (++steps % REPEAT_AFTER == 0) {
            told.clear();
        }
        try {
            List<Token> segments = tokens.findAll(processor);
            streams.forEach((stream, source) -> report(stream, source, segments));
        } catch (RetryableException e) {
            log.debug("Positions of processor {} are not known for now: {}", processor, e.getMessage());
        }
        return EVERY;
    }

    private void report(String stream, StreamSource source, List<Token> segments) {
        StreamPosition lowest = lowest(stream, segments);
        if (lowest != null && !lowest.equals(told.get(stream))) {
            tell(stream, source, lowest);
        }
    }

    /** One way may be down, and the others not. */
    private void tell(String stream, StreamSource source, StreamPosition lowest) {
        try {
            source.report(stream, lowest);
            told.put(stream, lowest);
        } catch (RetryableException e) {
            log.debug("The position in stream {} is not reported for now: {}", stream, e.getMessage());
        }
    }

    /** Null until every segment has a position in the stream. */
    private static @Nullable StreamPosition lowest(String stream, List<Token> segments) {
        StreamPosition lowest = null;
        for (Token token : segments) {
            StreamPosition position = token.positions().get(stream);
            if (position == null) {
                return null;
            }
            lowest = lowest == null || isBelow(position, lowest) ? position : lowest;
        }
        return lowest;
    }

    /** An older epoch is below a newer one: its reader has yet to be carried over. */
    private static boolean isBelow(StreamPosition one, StreamPosition other) {
        int epochs = Integer.compare(one.log().epoch(), other.log().epoch());
        return epochs != 0 ? epochs < 0 : one.position() < other.position();
    }
}
