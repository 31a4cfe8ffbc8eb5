package io.holdfast.service;

import io.holdfast.RetryableException;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.KnownService;
import io.holdfast.wire.KnownServices;
import io.holdfast.wire.Wire;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import io.holdfast.worker.Worker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the services in the directory of the wire, so that those that are silent now can be named. Writes once a
 * minute, and when an unknown service appears. If the store is not available, it still remembers them until the process
 * ends. Thread-safe.
 */
final class SeenServices {

    static final Duration STEP_INTERVAL = Duration.ofSeconds(1);
    /** Minimum time between attempts to write, unless an unknown service appears. */
    static final Duration RECORD_INTERVAL = Duration.ofMinutes(1);
    /** How long a silent service is remembered. */
    static final Duration RETENTION = Duration.ofDays(30);

    private static final Logger log = LoggerFactory.getLogger(SeenServices.class);

    private final Wire wire;
    private final KnownServices store;
    private final Clock clock;
    private final MonotonicClock time;
    private final MultiGauge replicas;
    private volatile Map<String, KnownService> known = Map.of();
    private final Set<String> unrecorded = new TreeSet<>();
    private Set<String> measured = Set.of();
    private MonotonicTime recordAt = MonotonicTime.MIN;
    private boolean failed;

    SeenServices(Wire wire, KnownServices store, Clock clock, MeterRegistry metrics) {
        this.wire = wire;
        this.store = store;
        this.clock = clock;
        this.time = MonotonicClock.of(clock);
        this.replicas = MultiGauge.builder("directory.replicas")
                .description("Live replicas of each known service, as this replica sees them")
                .register(metrics);
        Gauge.builder("directory.silent", this, SeenServices::countSilent)
                .description("Known services without a live replica")
                .register(metrics);
    }

    Worker start(String service) {
        return Worker.start("holdfast-directory-" + service, this::step);
    }

    /** Returns all known services, ordered by name, without any call to the store. */
    List<KnownService> all() {
        return List.copyOf(known.values());
    }

    synchronized Duration step() {
        Set<String> live = live().keySet();
        boolean appeared =
                live.stream().filter(name -> !known.containsKey(name)).anyMatch(unrecorded::add);
        rememberUnrecorded();
        if ((appeared && !failed) || !time.time().isBefore(recordAt)) {
            record(live);
        }
        measure();
        return STEP_INTERVAL;
    }

    private void rememberUnrecorded() {
        Instant now = clock.instant();
        Map<String, KnownService> more = new TreeMap<>(known);
        unrecorded.forEach(name -> more.putIfAbsent(name, new KnownService(name, now, now)));
        known = more;
    }

    private void record(Set<String> live) {
        recordAt = time.time().plus(RECORD_INTERVAL);
        Set<String> names = new TreeSet<>(live);
        names.addAll(unrecorded);
        try {
            store.recordLive(names);
            unrecorded.clear();
            int forgotten = store.forgetSilent(RETENTION);
            if (forgotten > 0) {
                log.info("{} services were silent for {} and are no longer listed", forgotten, RETENTION);
            }
            known = load();
            failed = false;
        } catch (RetryableException e) {
            failed = true;
            log.debug("Recording the live services failed, retrying in {}: {}", RECORD_INTERVAL, e.getMessage());
        }
    }

    private Map<String, KnownService> load() {
        return new TreeMap<>(
                store.findAll().stream().collect(Collectors.toMap(KnownService::name, Function.identity())));
    }

    /**
     * Forgets a service, here and in the store. If it is live, it is soon known again.
     *
     * @return false if it is not known
     */
    synchronized boolean forget(String service) {
        boolean forgotten = store.forget(service);
        Map<String, KnownService> fewer = new TreeMap<>(known);
        boolean wasKnown = fewer.remove(service) != null;
        unrecorded.remove(service);
        known = fewer;
        return forgotten || wasKnown;
    }

    private Map<String, Long> live() {
        return wire.directory().stream().collect(Collectors.groupingBy(Announcement::service, Collectors.counting()));
    }

    private void measure() {
        Set<String> names = Set.copyOf(known.keySet());
        if (!names.equals(measured)) {
            measured = names;
            replicas.register(
                    names.stream()
                            .map(name -> MultiGauge.Row.of(Tags.of("service", name), () -> countReplicas(name)))
                            .toList(),
                    true);
        }
    }

    private long countReplicas(String service) {
        return live().getOrDefault(service, 0L);
    }

    private double countSilent() {
        Set<String> live = live().keySet();
        return known.keySet().stream().filter(name -> !live.contains(name)).count();
    }
}
