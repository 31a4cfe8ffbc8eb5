package io.holdfast.outbox;

import io.holdfast.RetryableException;
import io.holdfast.event.EventLog;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes entries of row-kept streams that are old enough and that every known consumer group has passed. Sourced streams
 * are kept for ever. Any replica may do it, and several at once. For one thread.
 */
public final class Retention {

    public static final Duration DEFAULT_ENTRY_TTL = Duration.ofHours(24);
    public static final Duration RUN_INTERVAL = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Retention.class);

    private final OutboxStore outbox;
    private final EventLog eventLog;
    private final Clock clock;
    private final Duration ttl;

    /** @param ttl how long entries stay at least after they were placed */
    public Retention(OutboxStore outbox, EventLog eventLog, Clock clock, Duration ttl) {
        this.outbox = outbox;
        this.eventLog = eventLog;
        this.clock = clock;
        this.ttl = ttl;
    }

    /** Runs on a thread of its own until the worker is closed. */
    public Worker start(String service) {
        return Worker.start("holdfast-retention-" + service, this::step);
    }

    public Duration step() {
        Instant placedBefore = clock.instant().minus(ttl);
        try {
            for (String stream : outbox.streams()) {
                int removed = outbox.evict(stream, eventLog.head(stream).position(), placedBefore);
                if (removed > 0) {
                    log.info("Removed {} entries of stream {} that every known group has passed", removed, stream);
                }
            }
        } catch (RetryableException e) {
            log.debug("Nothing is removed for now: {}", e.getMessage());
        }
        return RUN_INTERVAL;
    }
}
