package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.admin.Warehouse;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Application code parks events that Holdfast did not deliver. */
class HandParkedLettersTests {

    private static final String PEN = "{\"item\":\"pen\",\"price\":1.50}";

    private final Warehouse warehouse = new Warehouse();
    private final RepairReplica replica = new RepairReplica(HoldfastService.named(
                    "warehouse", new InMemoryStore("warehouse", Clock.systemUTC()), new InMemoryWire())
            .owns("orders")
            .processor("shipping", processor -> processor
                    .reads("orders")
                    .calls(Component.of("packing", warehouse.new Packing()).build())));
    private final DeadLetterQueueOperations letters =
            new GatewayDeadLetterQueue(replica.letters, replica.service, Clock.systemUTC());

    @BeforeEach
    void awaitClaimed() {
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> replica.service.processor("shipping").status().isClaimed());
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private static DeadLetterEntryBuilder pen() {
        return DeadLetterEntry.builder()
                .originalEventId(new UUID(7, 7))
                .eventType("ItemOrdered")
                .topicName("legacy-orders")
                .key("o-1")
                .payload(PEN)
                .failureReason("the listener has failed")
                .component("packing");
    }

    @Test
    void areListedAndReplayedOnce() {
        letters.add(pen().build());
        letters.add(pen().build());

        assertThat(letters.count()).isEqualTo(1);
        DeadLetterEntry parked = letters.list(20).get(0);
        assertThat(parked.failureReason()).isEqualTo("the listener has failed");
        assertThat(letters.getEntry(parked.dlqEntryId()).topicName()).isEqualTo("legacy-orders");

        assertThat(letters.replay(parked.dlqEntryId()).totals()).containsEntry("applied", 1L);
        assertThat(Warehouse.packed(replica.service, "o-1", "pen")).isEqualTo(1);
        assertThat(letters.count()).isZero();
    }

    @Test
    void canBeDiscarded() {
        letters.add(pen().build());
        String id = letters.list(20).get(0).dlqEntryId();

        assertThat(letters.discard(id).totals()).containsEntry("discarded", 1L);
        assertThat(letters.count()).isZero();
    }

    @Test
    void mustNameAComponentAndHaveAPayload() {
        assertThatThrownBy(() -> letters.add(pen().component("nothing").build()))
                .hasMessageContaining("unknown component nothing");
        assertThatThrownBy(() -> letters.add(pen().payload("not json").build()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("is not JSON");
        assertThatThrownBy(() -> letters.add(pen().sourceService("shop").build()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("park it there");
    }

    /** A reset would clear such a letter, because it expects the event in the stream. */
    @Test
    void mustExistInAStreamThatTheComponentReads() {
        assertThatThrownBy(() -> letters.add(pen().topicName("orders").build()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("is not in this service's stream orders");
        assertThat(letters.count()).isZero();
    }
}
