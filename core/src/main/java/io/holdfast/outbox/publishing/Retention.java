package io.holdfast.outbox.publishing;

import io.holdfast.RetryableException;
import io.holdfast.event.EventLog;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes entries of outbox streams that are older than the ttl and that every known consumer group has passed.
 * Event-sourced streams are kept forever. Every replica may run it, also concurrently. Not thread-safe.
 */
public final class Retention {

    public static final Duration RUN_INTERVAL = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Retention.class);

    private final OutboxStore outbox;
    private final EventLog eventLog;
    private final RetentionClock clock;
    private final Duration ttl;

    /** @param ttl the minimum time that entries are kept after they got their position */
    public Retention(OutboxStore outbox, EventLog eventLog, Clock clock, Duration ttl) {
        this.outbox = outbox;
        this.eventLog = eventLog;
        this.clock = new RetentionClock(clock, ttl);
        this.ttl = ttl;
    }

    /** Runs retention on its own thread until the worker is closed. */
    public Worker start(String service) {
        return Worker.start("holdfast-retention-" + service, this::step);
    }

    public Duration step() {
        Instant positionedBefore = clock.instant().minus(ttl);
        try {
            for (String stream : outbox.streams()) {
                int removed = outbox.evict(stream, eventLog.head(stream).position(), positionedBefore);
                if (removed > 0) {
                    log.info("Removed {} entries of stream {} that every known group has passed", removed, stream);
                }
            }
        } catch (RetryableException e) {
            log.debug("Retention failed, retrying at the next run: {}", e.getMessage());
        }
        return RUN_INTERVAL;
    }
}
