package io.holdfast.processing.stream;

import io.holdfast.RetryableException;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Token;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.StreamSources;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a processor's position to the sources of its streams: the lowest position of all segments. Any replica may
 * report it, because it reports what is stored. Earlier generations are reported too, so that sources do not retain
 * events for them forever. Not thread-safe.
 */
public final class PositionReports {

    public static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);
    /** An unchanged position is repeated from time to time, because a report may get lost. */
    private static final int REPEAT_AFTER_STEPS = 30;

    private static final Logger log = LoggerFactory.getLogger(PositionReports.class);

    private final TokenStore tokens;
    private final String processor;
    private final Map<String, StreamSources> streams;
    private final Map<Reader, StreamSource> sources = new HashMap<>();
    private final Map<Reader, StreamPosition> lastReported = new HashMap<>();
    private int steps;

    public PositionReports(TokenStore tokens, String processor, Map<String, StreamSources> streams) {
        this.tokens = tokens;
        this.processor = processor;
        this.streams = Map.copyOf(streams);
    }

    /** Starts a thread that reports until the worker is closed. */
    public Worker start() {
        return Worker.start("holdfast-reports-" + processor, this::step);
    }

    public Duration step() {
        if (++steps % REPEAT_AFTER_STEPS == 0) {
            lastReported.clear();
        }
        try {
            List<Token> segments =
                    tokens.findAll(processor).stream().map(ClaimedToken::token).toList();
            int generations = segments.stream()
                    .mapToInt(token -> token.setup().generation())
                    .max()
                    .orElse(1);
            for (int generation = 1; generation <= generations; generation++) {
                for (String stream : streams.keySet()) {
                    report(new Reader(stream, generation), segments);
                }
            }
        } catch (RetryableException e) {
            log.debug("Processor {}: reading its positions failed, retrying: {}", processor, e.getMessage());
        }
        return REPORT_INTERVAL;
    }

    private void report(Reader reader, List<Token> segments) {
        StreamPosition lowest = lowest(reader.stream(), segments);
        if (lowest != null && !lowest.equals(lastReported.get(reader))) {
            send(reader, start(reader, segments), lowest);
        }
    }

    /** Reports one stream; its source may be unreachable while the others are not. */
    private void send(Reader reader, @Nullable StreamPosition start, StreamPosition lowest) {
        try {
            source(reader).report(reader.stream(), start, lowest);
            lastReported.put(reader, lowest);
        } catch (RetryableException e) {
            log.debug("Reporting the position in stream {} failed, retrying: {}", reader.stream(), e.getMessage());
        }
    }

    private StreamSource source(Reader reader) {
        return sources.computeIfAbsent(reader, unknown -> Objects.requireNonNull(streams.get(reader.stream()))
                .catchUp(reader.generation()));
    }

    /** Returns where the generation started, which is the same for all segments; null if no segment knows it. */
    private static @Nullable StreamPosition start(Reader reader, List<Token> segments) {
        return segments.stream()
                .flatMap(token -> token.setup().findStart(reader.generation(), reader.stream()).stream())
                .findFirst()
                .orElse(null);
    }

    /** Returns the lowest position in the stream; null until every segment has one. */
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

    /** An older epoch is below a newer one: its reader has yet to be moved to the newer one. */
    private static boolean isBelow(StreamPosition one, StreamPosition other) {
        int epochs = Integer.compare(one.log().epoch(), other.log().epoch());
        return epochs != 0 ? epochs < 0 : one.position() < other.position();
    }

    private record Reader(String stream, int generation) {}
}
