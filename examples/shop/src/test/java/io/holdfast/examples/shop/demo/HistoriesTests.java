package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPlace;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HistoriesTests {

    private static final LogIdentity LOG = new LogIdentity(EventIds.random(Instant.EPOCH), 1);

    @Test
    void findNothingInAWholeHistory() {
        assertThat(Histories.gaps("order", List.of(event("a", 1, 1, 0), event("b", 1, 2, 1), event("a", 2, 3, 2))))
                .isEmpty();
    }

    @Test
    void findAMissingSequence() {
        assertThat(Histories.gaps("order", List.of(event("a", 1, 1, 0), event("a", 3, 2, 1))))
                .containsExactly("orders/a sequence should be 2, but is 3");
    }

    @Test
    void findAMissingPositionAndABrokenChain() {
        assertThat(Histories.gaps("order", List.of(event("a", 1, 1, 0), event("b", 1, 3, 2))))
                .containsExactly(
                        "order position should be 2, but is 3", "orders/b previous position should be 1, but is 2");
    }

    @Test
    void findAnEventThatIsThereTwice() {
        EventMessage first = event("a", 1, 1, 0);
        EventMessage again = new EventMessage(
                first.id(),
                first.source(),
                "orders",
                "b",
                1,
                first.occurredAt(),
                first.metadata(),
                first.payload(),
                event("b", 1, 2, 1).place());

        assertThat(Histories.gaps("order", List.of(first, again)))
                .containsExactly("order has event " + first.id() + " twice");
    }

    private static EventMessage event(String key, long sequence, long position, long previous) {
        UUID before = previous == 0 ? null : EventIds.random(Instant.EPOCH);
        return new EventMessage(
                EventIds.random(Instant.EPOCH),
                "order",
                "orders",
                key,
                sequence,
                Instant.EPOCH,
                Metadata.none(),
                new Payload("OrderCreated", 1, "{}"),
                new LogPlace(LOG, position, previous, before));
    }
}
