package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingRecordsTests {

    private final LogIdentity log = new LogIdentity(EventIds.random(Instant.EPOCH), 1);
    private final WaitingRecords waiting = new WaitingRecords();

    @Test
    void limitsTheNumberOfSmallRecords() {
        waiting.add(Collections.nCopies(WaitingRecords.MAX_RECORDS - 1, record(10)));

        assertThat(waiting.room()).isEqualTo(1);
        waiting.add(Collections.nCopies(1, record(10)));
        assertThat(waiting.room()).isZero();
    }

    @Test
    void limitsTheSizeOfLargeRecords() {
        EventMessage large = record(1024 * 1024);
        waiting.add(Collections.nCopies(15, large));
        assertThat(waiting.room()).isPositive();

        waiting.add(Collections.nCopies(1, large));

        assertThat(waiting.room()).isZero();
    }

    @Test
    void removedRecordsMakeRoom() {
        EventMessage large = record((int) WaitingRecords.MAX_CHARACTERS);
        EventMessage small = record(10);
        waiting.add(Collections.nCopies(1, large));
        waiting.removeFirst();
        assertThat(waiting.room()).isEqualTo(WaitingRecords.MAX_RECORDS);
        assertThat(waiting.first()).isNull();

        waiting.add(Collections.nCopies(1, large));
        waiting.add(Collections.nCopies(2, small));
        waiting.removeIf(large::equals);

        assertThat(waiting.room()).isEqualTo(WaitingRecords.MAX_RECORDS - 2);
        assertThat(waiting.first()).isEqualTo(small);
        assertThat(waiting.isEmpty()).isFalse();
    }

    /** The source does not respond, so the reader cannot deliver any record. */
    @Test
    void aReaderBehindAGapStopsPollingTheWireWhenItsBufferIsFull() {
        EventMessage large = record(100_000);
        AtomicInteger polled = new AtomicInteger();
        Wire endless = (Wire) Proxy.newProxyInstance(
                Wire.class.getClassLoader(),
                new Class<?>[] {Wire.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "reader" ->
                        (WireReader) limit -> {
                            polled.addAndGet(limit);
                            return Collections.nCopies(limit, large);
                        };
                    case "head" -> Optional.empty();
                    default -> new CompletableFuture<>();
                });
        WireStreamSource source = new WireStreamSource(endless, "reader/notes");

        for (int i = 0; i < 10; i++) {
            assertThat(source.read("notes", new StreamPosition(log, 0, null), 10))
                    .isEmpty();
        }

        assertThat(polled).hasValue(500); // one page already exceeds the size limit
    }

    private EventMessage record(int characters) {
        return new EventMessage(
                EventIds.random(Instant.EPOCH),
                "shop",
                "notes",
                "k",
                1,
                Instant.EPOCH,
                Metadata.none(),
                new Payload("Noted", 1, "x".repeat(characters)),
                new LogPosition(log, 2, 1, EventIds.random(Instant.EPOCH)));
    }
}
