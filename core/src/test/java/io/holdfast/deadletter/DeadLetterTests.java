package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeadLetterTests {

    private static final LogIdentity LOG = new LogIdentity(UUID.randomUUID(), 1);
    private static final UUID ID = UUID.randomUUID();

    @Test
    void contextHasPositionSagaAndTraceOfUndecodedEvent() {
        Metadata metadata =
                Metadata.none().withSaga("OrderFulfillment", "saga-1").withTraceparent("00-trace-span-01");

        LetterContext context = letter(metadata).context();

        assertThat(context)
                .isEqualTo(new LetterContext(
                        "orders",
                        new StreamPosition(LOG, 7, ID),
                        Optional.of("saga-1"),
                        Optional.of("00-trace-span-01")));
    }

    @Test
    void contextOfEventOutsideSagaHasNoSaga() {
        assertThat(letter(Metadata.none()).context().sagaId()).isEmpty();
    }

    private static DeadLetter letter(Metadata metadata) {
        EventMessage event = new EventMessage(
                ID,
                "order",
                "orders",
                "o",
                1,
                Instant.EPOCH,
                metadata,
                new Payload("Unknown", 1, "{"),
                new LogPosition(LOG, 7, 0, null));
        return DeadLetter.notAttempted(
                new SequenceId("inventory/stock/reservation", "orders/o"), 0, event, Instant.EPOCH);
    }
}
