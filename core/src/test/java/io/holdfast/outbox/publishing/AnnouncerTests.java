package io.holdfast.outbox.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.Payload;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.wire.Announcement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncerTests {

    private final ManualClock clock = new ManualClock();
    private final InMemoryStore store = new InMemoryStore("shop", clock);
    private final InMemoryWire wire = new InMemoryWire(10, clock, CommitPoint.Observer.NONE);
    private final Announcer announcer = new Announcer(
            store.eventLog(),
            wire,
            "shop",
            "shop-1",
            List.of("http://shop"),
            Set.of("words", "empty"),
            List.of("shop/p/c"));

    private void write() {
        store.transactions().run(() -> store.outboxStore()
                .write("words", "a", new NewEvent(new Payload("Word", 1, "{}"), Metadata.none())));
        store.outboxStore().assignPositions(10);
    }

    @Test
    void announcesHeadsEverySecondEvenWhenIdle() {
        write();
        announcer.step();
        wire.restart();
        assertThat(wire.head("words")).isEmpty();

        assertThat(announcer.step()).isEqualTo(Duration.ofSeconds(1));

        assertThat(wire.head("words")).contains(store.eventLog().head("words"));
    }

    @Test
    void announcesReplicaWithStreamsAndComponents() {
        announcer.step();

        assertThat(wire.directory())
                .containsExactly(new Announcement(
                        "shop",
                        "shop-1",
                        List.of("http://shop"),
                        List.of("empty", "words"),
                        List.of("shop/p/c"),
                        List.of()));
        clock.advance(Duration.ofSeconds(11));
        assertThat(wire.directory()).as("silent for more than 10 seconds").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void disappearsAfterTenSilentSecondsIfTheClockIsSetMeanwhile(int hours) {
        announcer.step();

        clock.setForward(Duration.ofHours(hours));

        assertThat(wire.directory()).as("not early").hasSize(1);
        clock.advance(Duration.ofSeconds(11));
        assertThat(wire.directory()).isEmpty();
    }

    @Test
    void resumesWhenWireReconnects() {
        wire.disconnect();
        announcer.step();
        wire.reconnect();

        announcer.step();

        assertThat(wire.directory()).hasSize(1);
    }
}
