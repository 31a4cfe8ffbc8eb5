package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.deadletter.Departures.Outcome;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.deadletter.SequenceId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeparturesTests {

    private static final String COMPONENT = "warehouse/shipping/packing";
    private static final long ANY_TIME = -1;

    private final Departures departures = new Departures();

    private void remove(Kind kind, List<UUID> events) {
        departures.changed(new DeadLetterChange(
                kind, "queue", new SequenceId(COMPONENT, "orders/1"), events.size(), true, null, events));
    }

    @Test
    void cachesOutcomesOfRemovedLetters() {
        UUID applied = UUID.randomUUID();
        UUID discarded = UUID.randomUUID();

        remove(Kind.REPLAYED, List.of(applied));
        remove(Kind.EVICTED, List.of(discarded));

        assertThat(departures.find(COMPONENT, applied, ANY_TIME)).contains(Outcome.APPLIED);
        assertThat(departures.find(COMPONENT, discarded, ANY_TIME)).contains(Outcome.DISCARDED);
        assertThat(departures.find("warehouse/labels/labelling", applied, ANY_TIME))
                .isEmpty();
        assertThat(departures.find(COMPONENT, UUID.randomUUID(), ANY_TIME)).isEmpty();
    }

    @Test
    void findsOutcomesAfterAMoment() {
        UUID event = UUID.randomUUID();
        remove(Kind.EVICTED, List.of(event));

        long moment = departures.moment();

        assertThat(departures.find(COMPONENT, event, moment)).isEmpty();
        remove(Kind.REPLAYED, List.of(event));
        assertThat(departures.find(COMPONENT, event, moment)).contains(Outcome.APPLIED);
    }

    @Test
    void removesOldestOutcomesFirst() {
        List<UUID> events = IntStream.range(0, Departures.REMEMBERED + 1)
                .mapToObj(i -> UUID.randomUUID())
                .toList();
        remove(Kind.REPLAYED, events.subList(0, Departures.REMEMBERED));
        remove(Kind.REPLAYED, List.of(events.get(0))); // the newest now

        remove(Kind.REPLAYED, List.of(events.get(Departures.REMEMBERED)));

        assertThat(departures.find(COMPONENT, events.get(0), ANY_TIME)).isPresent();
        assertThat(departures.find(COMPONENT, events.get(1), ANY_TIME)).isEmpty();
        assertThat(departures.find(COMPONENT, events.get(2), ANY_TIME)).isPresent();
    }
}
