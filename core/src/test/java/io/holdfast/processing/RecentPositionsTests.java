package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.stream.RecentPositions;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The positions before a lost one belong to its history, also if another segment has read the new one since. */
class RecentPositionsTests extends ProcessorScenario {

    private final RecentPositions recent = new RecentPositions();

    @Test
    void returnsThePositionsBeforeAnotherOne() {
        List<EventMessage> events = appended("1", "2", "3");

        recent.read(events);

        assertThat(recent.before(events.get(2).streamPosition()))
                .containsExactly(events.get(0).streamPosition(), events.get(1).streamPosition());
        assertThat(recent.before(events.get(0).streamPosition())).isEmpty();
    }

    @Test
    void ignoresAnotherHistoryThatWasReadLater() {
        List<EventMessage> lost = appended("1", "2", "3");
        EventMessage replaced = lost.get(1).at(afterFirst(lost));
        EventMessage other = withId(replaced, UUID.randomUUID());
        recent.read(lost);

        recent.read(List.of(other));

        assertThat(recent.before(lost.get(2).streamPosition()))
                .containsExactly(lost.get(0).streamPosition(), lost.get(1).streamPosition());
        assertThat(recent.before(other.streamPosition()))
                .containsExactly(lost.get(0).streamPosition());
    }

    @Test
    void ignoresARepeatedEventAtAnotherPosition() {
        List<EventMessage> lost = appended("1", "2", "3");
        recent.read(lost);
        EventMessage repeated =
                lost.get(1).at(new LogPosition(lost.get(1).logPosition().log(), 9, 8, UUID.randomUUID()));

        recent.read(List.of(repeated));

        assertThat(recent.before(lost.get(2).streamPosition()))
                .containsExactly(lost.get(0).streamPosition(), lost.get(1).streamPosition());
    }

    @Test
    void endsWhereNothingIsKnown() {
        List<EventMessage> events = appended("1", "2", "3");

        recent.read(events.subList(1, 3));

        assertThat(recent.before(events.get(2).streamPosition()))
                .containsExactly(events.get(1).streamPosition());
        assertThat(recent.before(new StreamPosition(store.eventLog().identity(), 7, UUID.randomUUID())))
                .isEmpty();
    }

    private List<EventMessage> appended(String... texts) {
        appendInput("a", texts);
        return store.eventLog().readStream("input", 0, 10);
    }

    private static LogPosition afterFirst(List<EventMessage> events) {
        EventMessage first = events.get(0);
        return new LogPosition(first.logPosition().log(), first.position() + 1, first.position(), first.id());
    }

    private static EventMessage withId(EventMessage event, UUID id) {
        return new EventMessage(
                id,
                event.source(),
                event.stream(),
                event.key(),
                event.version(),
                event.occurredAt(),
                event.metadata(),
                event.payload(),
                event.logPosition());
    }
}
