package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void registersAGroupAgainWhoseRegistrationWasLost() {
        StreamPosition reached = new StreamPosition(store.eventLog().identity(), 7, null);

        server.report(new GroupReport("billing", "orders", reached));

        assertThat(store.consumerGroups().findAll()).singleElement().satisfies(group -> {
            assertThat(group.name()).isEqualTo("billing");
            assertThat(group.start()).isEqualTo(reached);
            assertThat(group.reached()).isEqualTo(reached);
        });
    }

    @Test
    void ignoresAPositionOfAnotherLog() {
        InMemoryStore other = new InMemoryStore("orders", Clock.systemUTC());

        server.report(new GroupReport(
                "billing", "orders", new StreamPosition(other.eventLog().identity(), 7, null)));

        assertThat(store.consumerGroups().findAll()).isEmpty();
    }

    @Test
    void keepsTheStartOfARegisteredGroup() {
        StreamPosition start = server.register(new GroupRegistration("billing", "orders", StartAt.BEGINNING));
        StreamPosition reached = new StreamPosition(store.eventLog().identity(), 7, null);

        server.report(new GroupReport("billing", "orders", reached));

        assertThat(store.consumerGroups().findAll())
                .extracting(ConsumerGroup::start)
                .containsExactly(start);
    }
}
