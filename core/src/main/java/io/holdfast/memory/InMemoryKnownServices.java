package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.wire.KnownService;
import io.holdfast.wire.KnownServices;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Services by name. Guarded by its own monitor. */
final class InMemoryKnownServices implements KnownServices {

    private final Clock clock;
    private final CommitPoint.Observer points;
    private final NavigableMap<String, KnownService> services = new TreeMap<>();

    InMemoryKnownServices(Clock clock, CommitPoint.Observer points) {
        this.clock = clock;
        this.points = points;
    }

    @Override
    public void recordLive(Collection<String> names) {
        List<String> live = List.copyOf(names);
        points.pass(CommitPoint.SERVICES_RECORD, () -> {
            synchronized (this) {
                Instant now = clock.instant();
                live.forEach(name -> services.merge(
                        name,
                        new KnownService(name, now, now),
                        (known, seen) -> new KnownService(name, known.firstSeen(), now)));
            }
        });
    }

    @Override
    public synchronized List<KnownService> findAll() {
        return List.copyOf(services.values());
    }

    @Override
    public boolean forget(String service) {
        return points.pass(CommitPoint.SERVICES_FORGET, () -> {
            synchronized (this) {
                return services.remove(service) != null;
            }
        });
    }

    @Override
    public int forgetSilent(Duration silence) {
        return points.pass(CommitPoint.SERVICES_FORGET, () -> {
            synchronized (this) {
                Instant oldest = clock.instant().minus(silence);
                int known = services.size();
                services.values().removeIf(service -> service.lastSeen().isBefore(oldest));
                return known - services.size();
            }
        });
    }
}
