package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.KnownService;
import io.holdfast.wire.KnownServices;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeenServicesTests {

    private static final Duration SILENT = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final InMemoryWire wire = new InMemoryWire(10, clock, CommitPoint.Observer.NONE);
    private final KnownServices stored = new InMemoryStore("shop", clock).knownServices();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private boolean storeIsDown;
    private int writes;
    private final SeenServices seen = new SeenServices(wire, counting(), clock, metrics);

    private KnownServices counting() {
        return (KnownServices) Proxy.newProxyInstance(
                KnownServices.class.getClassLoader(),
                new Class<?>[] {KnownServices.class},
                (proxy, method, arguments) -> {
                    if (storeIsDown) {
                        throw new RetryableException("the database does not respond");
                    }
                    writes += method.getName().equals("recordLive") ? 1 : 0;
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void announce(String service, String replica) {
        wire.announce(new Announcement(service, replica, List.of(), List.of(), List.of(), List.of()));
    }

    private List<String> names() {
        return seen.all().stream().map(KnownService::name).toList();
    }

    private double replicas(String service) {
        return metrics.get("directory.replicas").tag("service", service).gauge().value();
    }

    private double silent() {
        return metrics.get("directory.silent").gauge().value();
    }

    @Test
    void remembersAServiceThatIsSilentNow() {
        announce("stock", "stock-1");
        seen.step();
        clock.advance(SILENT);
        announce("shop", "shop-1");

        seen.step();

        assertThat(wire.directory()).extracting(Announcement::service).containsExactly("shop");
        assertThat(names()).containsExactly("shop", "stock");
    }

    @Test
    void remembersServicesOfAnEarlierProcess() {
        stored.recordLive(List.of("stock"));

        seen.step();

        assertThat(names()).containsExactly("stock");
    }

    @Test
    void writesOncePerMinute() {
        for (int second = 0; second < 180; second++) {
            announce("stock", "stock-1");
            seen.step();
            clock.advance(Duration.ofSeconds(1));
        }

        assertThat(writes).isEqualTo(3);
    }

    @Test
    void writesAnUnknownServiceAtOnce() {
        announce("stock", "stock-1");
        seen.step();
        announce("billing", "billing-1");

        seen.step();
        seen.step();

        assertThat(writes).isEqualTo(2);
        assertThat(stored.findAll()).extracting(KnownService::name).containsExactly("billing", "stock");
    }

    @Test
    void updatesWhenALiveServiceWasLastSeen() {
        Instant start = clock.instant();
        announce("stock", "stock-1");
        seen.step();
        clock.advance(SeenServices.RECORD_INTERVAL);
        announce("stock", "stock-1");

        seen.step();

        assertThat(seen.all())
                .containsExactly(new KnownService("stock", start, start.plus(SeenServices.RECORD_INTERVAL)));
    }

    @Test
    void doesNotUpdateWhenASilentServiceWasLastSeen() {
        Instant start = clock.instant();
        announce("stock", "stock-1");
        seen.step();
        clock.advance(SeenServices.RECORD_INTERVAL);

        seen.step();

        assertThat(seen.all()).containsExactly(new KnownService("stock", start, start));
    }

    @Test
    void remembersServicesWhileTheStoreIsDown() {
        storeIsDown = true;
        announce("stock", "stock-1");
        seen.step();
        clock.advance(SILENT);
        seen.step();
        assertThat(names()).containsExactly("stock");

        storeIsDown = false;
        clock.advance(SeenServices.RECORD_INTERVAL);
        seen.step();

        assertThat(stored.findAll()).extracting(KnownService::name).containsExactly("stock");
    }

    @Test
    void triesOncePerMinuteWhileTheStoreIsDown() {
        storeIsDown = true;
        announce("stock", "stock-1");
        seen.step();
        storeIsDown = false;
        announce("billing", "billing-1");

        seen.step();
        assertThat(writes).isZero();
        assertThat(names()).containsExactly("billing", "stock");

        clock.advance(SeenServices.RECORD_INTERVAL);
        seen.step();
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void forgetsAServiceAfterItsRetention() {
        announce("stock", "stock-1");
        seen.step();
        clock.advance(SeenServices.RETENTION);
        seen.step();
        assertThat(names()).containsExactly("stock");

        clock.advance(SeenServices.RECORD_INTERVAL);
        seen.step();

        assertThat(names()).isEmpty();
    }

    @Test
    void forgetsAServiceOnRequest() {
        announce("stock", "stock-1");
        seen.step();
        clock.advance(SILENT);

        assertThat(seen.forget("stock")).isTrue();

        assertThat(names()).isEmpty();
        assertThat(stored.findAll()).isEmpty();
        assertThat(seen.forget("stock")).isFalse();
        seen.step();
        assertThat(names()).isEmpty();
    }

    @Test
    void knowsALiveServiceAgainAfterItWasForgotten() {
        announce("stock", "stock-1");
        seen.step();

        seen.forget("stock");
        seen.step();

        assertThat(stored.findAll()).extracting(KnownService::name).containsExactly("stock");
    }

    @Test
    void forgetsWhatAnotherReplicaHasForgotten() {
        announce("stock", "stock-1");
        seen.step();
        stored.forget("stock");
        clock.advance(SeenServices.RECORD_INTERVAL);

        seen.step();

        assertThat(names()).isEmpty();
    }

    @Test
    void countsReplicasAndSilentServices() {
        announce("stock", "stock-1");
        announce("stock", "stock-2");
        announce("billing", "billing-1");
        seen.step();
        assertThat(replicas("stock")).isEqualTo(2);
        assertThat(silent()).isZero();

        clock.advance(SILENT);
        announce("stock", "stock-1");

        assertThat(replicas("stock")).isEqualTo(1);
        assertThat(replicas("billing")).isZero();
        assertThat(silent()).isEqualTo(1);
        seen.forget("billing");
        seen.step();
        assertThat(metrics.find("directory.replicas").tag("service", "billing").gauge())
                .isNull();
    }
}
