package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.event.StreamPosition;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.wire.ConsumerGroup;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.StartAt;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class LogStreamServerTests {

    private final InMemoryStore store = new InMemoryStore("orders", Clock.systemUTC());
    private final LogStreamServer server = new LogStreamServer(store.eventLog(), store.consumerGroups());

    private final StreamPosition reached = at(7);

    private StreamPosition at(long position) {
        return new StreamPosition(store.eventLog().identity(), position, null);
    }

    private static StreamPosition atAnotherLog(long position) {
        InMemoryStore other = new InMemoryStore("orders", Clock.systemUTC());
        return new StreamPosition(other.eventLog().identity(), position, null);
    }

    @Test
    void registersALostGroupWithItsStart() {
        server.report(new GroupReport("billing", "orders", at(3), reached));

        assertThat(store.consumerGroups().findAll()).singleElement().satisfies(group -> {
            assertThat(group.name()).isEqualTo("billing");
            assertThat(group.start()).isEqualTo(at(3));
            assertThat(group.reached()).isEqualTo(reached);
        });
        assertThat(server.register(new GroupRegistration("billing", "orders", StartAt.NOW)))
                .isEqualTo(at(3));
    }

    @Test
    void completesARegistrationThatACrashLeftWithoutStart() {
        store.consumerGroups().register("billing", "orders");

        server.report(new GroupReport("billing", "orders", at(3), reached));

        assertThat(store.consumerGroups().findAll()).singleElement().satisfies(group -> {
            assertThat(group.start()).isEqualTo(at(3));
            assertThat(group.reached()).isEqualTo(reached);
        });
    }

    @Test
    void registersALostGroupOfAnEarlierReleaseAtItsPosition() {
        server.report(new GroupReport("billing", "orders", null, reached));

        assertThat(store.consumerGroups().findAll())
                .extracting(ConsumerGroup::start, ConsumerGroup::reached)
                .containsExactly(tuple(reached, reached));
    }

    @Test
    void ignoresAStartInAnotherLog() {
        server.report(new GroupReport("billing", "orders", atAnotherLog(3), reached));

        assertThat(store.consumerGroups().findAll())
                .extracting(ConsumerGroup::start)
                .containsExactly(reached);
    }

    @Test
    void ignoresAPositionOfAnotherLog() {
        server.report(new GroupReport("billing", "orders", at(3), atAnotherLog(7)));

        assertThat(store.consumerGroups().findAll()).isEmpty();
    }

    @Test
    void keepsTheStartOfARegisteredGroup() {
        StreamPosition start = server.register(new GroupRegistration("billing", "orders", StartAt.BEGINNING));

        server.report(new GroupReport("billing", "orders", at(3), reached));

        assertThat(store.consumerGroups().findAll())
                .extracting(ConsumerGroup::start)
                .containsExactly(start);
    }
}
