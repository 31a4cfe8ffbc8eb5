package io.holdfast.processing.stream;

import io.holdfast.event.StreamPosition;
import io.holdfast.wire.source.StreamBrokenException;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams that cannot be read further, each with the reason. The others continue. A stopped stream is retried every
 * ten seconds, because an operator may have repaired its source. Read by any thread, changed by one.
 */
public final class StoppedStreams {

    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(StoppedStreams.class);

    private final String processor;
    private final MonotonicClock clock;
    private final Map<String, Stop> stops = new ConcurrentHashMap<>();

    public StoppedStreams(String processor, Clock clock) {
        this.processor = processor;
        this.clock = MonotonicClock.of(clock);
    }

    /** Forgets a stop at another position: segments were moved, and its reason no longer applies. */
    boolean isStopped(String stream, StreamPosition after) {
        Stop stop = stops.get(stream);
        if (stop == null) {
            return false;
        }
        if (!stop.position().equals(after)) {
            forget(stream);
            return false;
        }
        return clock.time().isBefore(stop.until());
    }

    /** @param after the position behind which the stream cannot be read */
    void stop(String stream, StreamPosition after, StreamBrokenException failure) {
        String reason = String.valueOf(failure.getMessage());
        Stop before = stops.put(stream, new Stop(after, reason, clock.time().plus(RETRY_INTERVAL)));
        if (before == null || !before.reason().equals(reason)) {
            log.error("Processor {} stopped reading a stream, its other streams continue: {}", processor, reason);
        }
    }

    public void resume(String stream) {
        if (stops.remove(stream) != null) {
            log.info("Processor {} resumed reading stream {}", processor, stream);
        }
    }

    /** Forgets a stop whose reader no longer exists. */
    void forget(String stream) {
        stops.remove(stream);
    }

    /** Forgets all stops, because all streams are opened again. */
    public void clear() {
        stops.clear();
    }

    public Map<String, String> reasons() {
        return stops.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().reason()));
    }

    private record Stop(StreamPosition position, String reason, MonotonicTime until) {}
}
