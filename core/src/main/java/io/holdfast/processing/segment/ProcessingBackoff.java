package io.holdfast.processing.segment;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.worker.Backoff;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a processor or segment backs off, how often it failed in a row, and when it retries. Read by any thread, changed
 * by one.
 */
public final class ProcessingBackoff {

    private static final Logger log = LoggerFactory.getLogger(ProcessingBackoff.class);

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** The longest delay, with jitter. */
    static final Duration LONGEST = Backoff.withJitter(LIMIT);

    private final String processor;
    private final MonotonicClock clock;
    private final Backoff backoff = new Backoff(Duration.ofMillis(500), LIMIT);
    private MonotonicTime until = MonotonicTime.MIN;
    private volatile State state = State.NONE;
    private volatile @Nullable String waitingFor;

    public ProcessingBackoff(String processor, Clock clock) {
        this.processor = processor;
        this.clock = MonotonicClock.of(clock);
    }

    /**
     * Starts a backoff.
     *
     * @param event the event that caused it, or null if none did
     * @return the delay
     */
    public Duration backOff(Throwable failure, @Nullable EventMessage event) {
        Duration wait = backoff.next();
        until = clock.time().plus(wait);
        state = new State(event, backoff.failures(), failure.toString());
        if (event == null) {
            log.warn("Processor {} backs off for {}: {}", processor, wait, failure.toString());
        } else {
            log.error(
                    "Processor {} is blocked by {} {} of {}/{}, failure {} in a row, retrying in {}",
                    processor,
                    event.type(),
                    event.id(),
                    event.stream(),
                    event.key(),
                    backoff.failures(),
                    wait,
                    failure);
        }
        return wait;
    }

    /**
     * Reports what the processor waits for while its other work continues. This is not a failure; it retries
     * automatically.
     */
    public void reportWaiting(String what) {
        if (!what.equals(waitingFor)) {
            log.info("Processor {} is waiting: {}", processor, what);
            waitingFor = what;
        }
    }

    /** Reports that the wait has ended. */
    public void clearWaiting() {
        waitingFor = null;
    }

    public Duration remaining() {
        return clock.time().until(until);
    }

    /** Ends the backoff after a commit, unless the event that caused it is still not committed. */
    public void clearIfCommitted(Map<String, StreamPosition> committed) {
        if (state.event() == null) {
            clear();
        } else {
            clearIfCovered(committed);
        }
    }

    /** Ends the backoff if these positions cover the event that caused it, whichever replica processed that event. */
    void clearIfCovered(Map<String, StreamPosition> positions) {
        EventMessage event = state.event();
        StreamPosition reached = event == null ? null : positions.get(event.stream());
        if (event != null && reached != null && reached.covers(event)) {
            clear();
        }
    }

    void clear() {
        backoff.reset();
        until = MonotonicTime.MIN;
        state = State.NONE;
    }

    Optional<UUID> event() {
        return Optional.ofNullable(state.event()).map(EventMessage::id);
    }

    int failures() {
        return state.failures();
    }

    public Optional<String> error() {
        String error = state.error();
        return Optional.ofNullable(error == null ? waitingFor : error);
    }

    private record State(@Nullable EventMessage event, int failures, @Nullable String error) {
        static final State NONE = new State(null, 0, null);
    }
}
