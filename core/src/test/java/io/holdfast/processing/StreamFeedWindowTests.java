package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.StreamPosition;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.stream.RecentPositions;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.processing.stream.StoppedStreams;
import io.holdfast.processing.stream.StreamFeed;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.StreamSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamFeedWindowTests extends ProcessorScenario {

    private static final int FIRST = 0;
    private static final int CLOSE_BEHIND = 1;
    private static final int FAR_BEHIND = 2;

    private final StreamPosition beginning =
            StreamPosition.beginning(store.eventLog().identity());
    private int separateReaders;
    private final StreamFeed feed = new StreamFeed(
            "input",
            source(),
            () -> {
                separateReaders++;
                return source();
            },
            SequencingPolicy.streamAndKey(),
            new StoppedStreams("test", clock),
            new RecentPositions(),
            clock,
            1);

    private StreamSource source() {
        return new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/feed");
    }

    @Test
    void readsOnceForSegmentsSixteenBatchesApart() {
        appendMany(60);
        feed.read(CLOSE_BEHIND, beginning);
        read(FIRST, beginning, 16);

        List<Long> positions = positions(read(CLOSE_BEHIND, beginning, 16));

        assertThat(positions).containsExactlyElementsOf(numbers(1, 16));
        assertThat(separateReaders).isZero();
    }

    @Test
    void keepsSegmentCloseBehindWhenTheSlowestFallsOut() {
        appendMany(60);
        feed.read(FAR_BEHIND, beginning);
        StreamPosition close = last(read(CLOSE_BEHIND, beginning, 30));
        read(FIRST, close, 20);

        List<Long> positions = positions(read(CLOSE_BEHIND, close, 20));

        assertThat(positions).containsExactlyElementsOf(numbers(31, 50));
        assertThat(separateReaders).isZero();
    }

    @Test
    void servesEverythingToASegmentThatHasFallenOut() {
        appendMany(60);
        feed.read(FAR_BEHIND, beginning);
        read(FIRST, beginning, 50);

        List<Long> positions = positions(read(FAR_BEHIND, beginning, 60));

        assertThat(positions).containsExactlyElementsOf(numbers(1, 60));
        assertThat(separateReaders).isEqualTo(1);
    }

    @Test
    void queriesAnEmptySourceOncePerStep() {
        feed.read(FIRST, beginning);
        appendMany(1);

        assertThat(feed.read(CLOSE_BEHIND, beginning)).isEmpty();

        feed.beginStep(List.of());

        assertThat(positions(feed.read(CLOSE_BEHIND, beginning))).containsExactly(1L);
        assertThat(positions(feed.read(FIRST, beginning))).containsExactly(1L);
    }

    private void appendMany(int count) {
        appendInput("key", IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new));
    }

    private List<SequencedEvent> read(int segment, StreamPosition after, int count) {
        List<SequencedEvent> events = new ArrayList<>();
        StreamPosition reached = after;
        for (int i = 0; i < count; i++) {
            events.addAll(feed.read(segment, reached));
            reached = events.isEmpty() ? reached : last(events);
        }
        return events;
    }

    private static StreamPosition last(List<SequencedEvent> events) {
        return events.get(events.size() - 1).event().streamPosition();
    }

    private static List<Long> positions(List<SequencedEvent> events) {
        return events.stream().map(event -> event.event().position()).toList();
    }

    private static List<Long> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(number -> (long) number)
                .toList();
    }
}
