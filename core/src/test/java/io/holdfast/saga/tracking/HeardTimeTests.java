package io.holdfast.saga.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.InMemoryStore;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.Wire;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a stream is left out because its owner is absent. */
class HeardTimeTests {

    private static final Instant T = Instant.parse("2026-01-01T10:00:00Z");
    private static final List<String> STREAMS = List.of("stock");

    private final List<Announcement> directory = new ArrayList<>(List.of(announcement("order", "order-1", "orders")));
    private final HeardTime heard = new HeardTime(
            "order-1",
            (Wire) Proxy.newProxyInstance(
                    Wire.class.getClassLoader(),
                    new Class<?>[] {Wire.class},
                    (proxy, method, arguments) -> List.copyOf(directory)),
            new InMemoryStore("order", Clock.systemUTC()).tokenStore(),
            Map.of());

    private static Announcement announcement(String service, String replica, String stream) {
        return new Announcement(service, replica, List.of(), List.of(stream), List.of(), List.of());
    }

    private void observe(int from, int to) {
        for (int second = from; second <= to; second++) {
            heard.observe(STREAMS, T.plusSeconds(second));
        }
    }

    private Instant until(int second) {
        return heard.until(STREAMS, T.plusSeconds(second));
    }

    @Test
    void leavesOutAStreamWhoseOwnerWasAbsentForTenSeconds() {
        observe(0, 9);
        assertThat(until(9)).isEqualTo(Instant.MIN);

        observe(10, 10);
        assertThat(until(10)).isEqualTo(T.plusSeconds(10));
    }

    @Test
    void waitsForAnOwnerThatReturns() {
        observe(0, 10);
        directory.add(announcement("stock", "stock-1", "stock"));
        observe(11, 11);

        assertThat(until(11)).isEqualTo(Instant.MIN);
    }

    @Test
    void countsNoAbsenceWhileTheWireIsDown() {
        directory.clear();
        observe(0, 30);

        assertThat(until(30)).isEqualTo(Instant.MIN);
    }

    @Test
    void countsNoAbsenceWhileThisReplicaWasFrozen() {
        observe(0, 1);
        observe(60, 60);
        assertThat(until(60)).isEqualTo(Instant.MIN);

        observe(61, 70);
        assertThat(until(70)).isEqualTo(T.plusSeconds(70));
    }

    @Test
    void needsNoWireWithoutOtherServices() {
        directory.clear();
        heard.observe(List.of(), T);

        assertThat(heard.until(List.of(), T)).isEqualTo(T);
    }
}
