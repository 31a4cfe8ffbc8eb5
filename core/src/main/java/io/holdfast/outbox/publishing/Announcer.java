package io.holdfast.outbox.publishing;

import io.holdfast.RetryableException;
import io.holdfast.event.EventLog;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.Wire;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces one replica and the heads of its streams every second, also when idle. Readers use it to detect a lost
 * tail, and operators to see which replicas run. Not thread-safe.
 */
public final class Announcer {

    public static final Duration ANNOUNCE_INTERVAL = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Announcer.class);

    private final EventLog eventLog;
    private final Wire wire;
    private final String service;
    private final String replica;
    private final List<String> addresses;
    private final Set<String> streams;
    private final List<String> components;
    private boolean failed;

    public Announcer(
            EventLog eventLog,
            Wire wire,
            String service,
            String replica,
            List<String> addresses,
            Set<String> streams,
            List<String> components) {
        this.eventLog = eventLog;
        this.wire = wire;
        this.service = service;
        this.replica = replica;
        this.addresses = List.copyOf(addresses);
        this.streams = new TreeSet<>(streams);
        this.components = List.copyOf(components);
    }

    /** Starts a thread that announces until the worker is closed. */
    public Worker start() {
        return Worker.start("holdfast-announcer-" + service, this::step);
    }

    public Duration step() {
        try {
            wire.announce(
                    new Announcement(service, replica, addresses, List.copyOf(streams), components, eventLog.heads()));
            failed = false;
        } catch (RetryableException e) {
            if (!failed) {
                log.warn("Replica {}: announcement failed, retrying: {}", replica, e.getMessage());
            }
            failed = true;
        }
        return ANNOUNCE_INTERVAL;
    }
}
