package io.holdfast.outbox.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.Payload;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.LogStreamServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionTests {

    private static final Duration TTL = Duration.ofHours(24);

    private final ManualClock clock = new ManualClock();
    private final InMemoryStore store = new InMemoryStore("shop", clock);
    private final LogStreamServer server = new LogStreamServer(store.eventLog(), store.consumerGroups());
    private final Retention retention = new Retention(store.outboxStore(), store.eventLog(), clock, TTL);

    private void write(int count) {
        store.transactions().run(() -> {
            for (int i = 0; i < count; i++) {
                NewEvent event = new NewEvent(new Payload("Changed", 1, "{}"), Metadata.none());
                store.outboxStore().write("rows", "a", event);
            }
        });
        store.outboxStore().assignPositions(count);
    }

    private List<EventMessage> retained() {
        return store.eventLog().readStream("rows", 0, 100);
    }

    private void register(String group) {
        server.register(new GroupRegistration(group, "rows", StartAt.BEGINNING));
    }

    @Test
    void retainsEntriesForTheirTtl() {
        write(3);
        clock.advance(TTL.minusSeconds(1));
        write(2);
        clock.advance(Duration.ofSeconds(1));
        retention.step();
        assertThat(retained()).hasSize(5);

        clock.advance(Duration.ofSeconds(1));
        retention.step();

        assertThat(retained()).hasSize(2);
    }

    @Test
    void retainsEntriesForTheirTtlIfTheClockIsSetForwardMeanwhile() {
        retention.step();
        write(3);
        for (int hour = 1; hour < 24; hour++) {
            clock.advance(Duration.ofHours(1));
            retention.step();
        }

        clock.setForward(Duration.ofHours(1));

        clock.advance(Duration.ofMinutes(59));
        retention.step();
        assertThat(retained()).as("not early").hasSize(3);
        clock.advance(Duration.ofHours(1));
        retention.step();
        assertThat(retained()).isEmpty();
    }

    @Test
    void retainsEntriesThatWereWrittenLongAfterTheStart() {
        retention.step();
        clock.advance(TTL.minusHours(1));
        write(3);
        retention.step();

        clock.setForward(Duration.ofHours(1));

        for (int minute = 0; minute < TTL.toMinutes(); minute++) {
            retention.step();
            assertThat(retained()).as("not early, after %s minutes", minute).hasSize(3);
            clock.advance(Duration.ofMinutes(1));
        }
        clock.advance(TTL);
        retention.step();
        assertThat(retained()).isEmpty();
    }

    /** While a machine sleeps, only its wall clock continues. */
    @Test
    void followsTheWallClockAfterOneTtl() {
        retention.step();
        clock.setForward(TTL.multipliedBy(3));
        for (int hour = 1; hour <= 48; hour++) {
            clock.advance(Duration.ofHours(1));
            retention.step();
        }
        write(3);

        clock.advance(TTL.plusSeconds(1));
        retention.step();

        assertThat(retained()).isEmpty();
    }

    @Test
    void retainsEntriesThatTheSlowestGroupHasNotPassed() {
        register("fast/p");
        register("slow/p");
        write(5);
        List<EventMessage> all = retained();
        clock.advance(TTL.multipliedBy(10));
        store.consumerGroups().report("fast/p", "rows", all.get(4).streamPosition());
        store.consumerGroups().report("slow/p", "rows", all.get(1).streamPosition());

        retention.step();

        assertThat(retained()).isEqualTo(all.subList(2, 5));
    }

    @Test
    void resumesWhenAnOperatorRemovesAGroup() {
        register("gone/p");
        write(5);
        clock.advance(TTL.multipliedBy(2));
        retention.step();
        assertThat(retained()).hasSize(5);

        store.consumerGroups().remove("gone/p");
        retention.step();

        assertThat(retained()).isEmpty();
    }
}
