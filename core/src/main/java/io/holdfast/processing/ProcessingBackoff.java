package io.holdfast.processing;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.worker.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why a processor waits, since when it fails, and when it tries again. Read by any thread, changed by one. */
final class ProcessingBackoff {

    private static final Logger log = LoggerFactory.getLogger(ProcessingBackoff.class);

    private final String processor;
    private final Clock clock;
    private final Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private Instant until = Instant.MIN;
    private volatile State state = State.NONE;
    private volatile @Nullable String waitingFor;

    ProcessingBackoff(String processor, Clock clock) {
        this.processor = processor;
        this.clock = clock;
    }

    /**
     * Holds the processor for a while.
     *
     * @param event the one at fault, or null if it is none's fault
     * @return how long
     */
    Duration backOff(Throwable failure, @Nullable EventMessage event) {
        Duration wait = backoff.next();
        until = clock.instant().plus(wait);
        state = new State(event, backoff.failures(), failure.toString());
        if (event == null) {
            log.warn("Processor {} waits {}: {}", processor, wait, failure.toString());
        } else {
            log.error(
                    "Processor {} is held by {} {} of {}/{}, failure {} in a row; it tries again in {}",
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

    /** Says what the processor waits for beside its other work; that is no failure, and it asks again by itself. */
    void reportWaiting(String what) {
        if (!what.equals(waitingFor)) {
            log.info("Processor {} waits: {}", processor, what);
            waitingFor = what;
        }
    }

    /** What it waited for is there. */
    void clearWaiting() {
        waitingFor = null;
    }

    Duration remaining() {
        Duration left = Duration.between(clock.instant(), until);
        return left.isNegative() ? Duration.ZERO : left;
    }

    boolean isCausedBy(EventMessage event) {
        return state.event() != null && event.id().equals(state.event().id());
    }

    /** Something was committed; the hold is over unless the event at fault still waits. */
    void clearIfCommitted(Map<String, StreamPosition> committed) {
        if (state.event() == null) {
            clear();
        } else {
            clearIfCovered(committed);
        }
    }

    /** A hold by an event that these positions cover is over, whoever has dealt with it. */
    void clearIfCovered(Map<String, StreamPosition> positions) {
        EventMessage event = state.event();
        StreamPosition reached = event == null ? null : positions.get(event.stream());
        if (event != null && reached != null && reached.covers(event)) {
            clear();
        }
    }

    void clear() {
        backoff.reset();
        until = Instant.MIN;
        state = State.NONE;
    }

    Optional<UUID> event() {
        return Optional.ofNullable(state.event()).map(EventMessage::id);
    }

    int failures() {
        return state.failures();
    }

    Optional<String> error() {
        String error = state.error();
        return Optional.ofNullable(error == null ? waitingFor : error);
    }

    private record State(@Nullable EventMessage event, int failures, @Nullable String error) {
        static final State NONE = new State(null, 0, null);
    }
}
