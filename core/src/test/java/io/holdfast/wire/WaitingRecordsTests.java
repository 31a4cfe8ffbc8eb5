package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPlace;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class WaitingRecordsTests {

    private final LogIdentity log = new LogIdentity(EventIds.random(Instant.EPOCH), 1);
    private final WaitingRecords waiting = new WaitingRecords();

    @Test
    void thereIsRoomForManySmallOnes() {
        waiting.add(Collections.nCopies(WaitingRecords.MAX_RECORDS - 1, record(10)));

        assertThat(waiting.room()).isEqualTo(1);
        waiting.add(Collections.nCopies(1, record(10)));
        assertThat(waiting.room()).isZero();
    }

    @Test
    void thereIsRoomForFewLargeOnes() {
        EventMessage large = record(1024 * 1024);
        waiting.add(Collections.nCopies(15, large));
        assertThat(waiting.room()).isPositive();

        waiting.add(Collections.nCopies(1, large));

        assertThat(waiting.room()).isZero();
    }

    @Test
    void whatLeavesMakesRoom() {
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
                new LogPlace(log, 1, 0, null));
    }
}
