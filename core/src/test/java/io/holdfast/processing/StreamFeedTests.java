package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.stream.RecentPositions;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.processing.stream.StoppedStreams;
import io.holdfast.processing.stream.StreamFeed;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.RestoredPosition;
import io.holdfast.wire.source.StreamBrokenException;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.StreamSources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments at nearby positions read a stream once. */
class StreamFeedTests extends ProcessorScenario {

    private static final int PAGE = 10;
    /** The number of events kept for slower segments. */
    private static final int WINDOW = 32 * PAGE;

    private final Counting live = new Counting();
    private final List<Counting> behind = new ArrayList<>();
    private final StoppedStreams stopped = new StoppedStreams("test/copier", clock);
    private final StreamFeed feed = new StreamFeed(
            "input",
            live,
            this::openBehind,
            SequencingPolicy.streamAndKey(),
            stopped,
            new RecentPositions(),
            clock,
            PAGE);
    private final StreamPosition[] reached = new StreamPosition[4];
    private boolean broken;

    StreamFeedTests() {
        for (int segment = 0; segment < reached.length; segment++) {
            reached[segment] = StreamPosition.beginning(store.eventLog().identity());
        }
    }

    private StreamSource openBehind() {
        Counting opened = new Counting();
        behind.add(opened);
        return opened;
    }

    private void appendMany(int count) {
        appendInput("a", IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new));
    }

    private List<String> read(int segment) {
        feed.beginStep(List.of());
        List<SequencedEvent> events = feed.read(segment, reached[segment]);
        if (!events.isEmpty()) {
            reached[segment] = events.get(events.size() - 1).event().streamPosition();
        }
        return events.stream()
                .map(event ->
                        codec.decode(event.event().payload(), TextAdded.class).text())
                .toList();
    }

    private List<String> readAll(int segment) {
        List<String> all = new ArrayList<>();
        List<String> page = read(segment);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(PAGE);
            all.addAll(page);
            page = read(segment);
        }
        return all;
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void readsOnceForSegmentsAtNearbyPositions() {
        appendMany(25);
        for (int page = 0; page < 3; page++) {
            for (int segment = 0; segment < 4; segment++) {
                assertThat(read(segment)).isEqualTo(texts(page * PAGE, Math.min(25, page * PAGE + PAGE)));
            }
        }

        assertThat(live.events).isEqualTo(25);
        assertThat(live.reads).isEqualTo(3);
        assertThat(behind).isEmpty();
    }

    @Test
    void servesSlowerSegmentFromTheWindow() {
        appendMany(WINDOW);
        read(0);
        read(1);

        readAll(0);

        assertThat(readAll(1)).isEqualTo(texts(PAGE, WINDOW));
        assertThat(live.events).isEqualTo(WINDOW);
        assertThat(behind).isEmpty();
    }

    @Test
    void segmentFarBehindReadsSeparatelyAndRejoins() {
        appendMany(3 * WINDOW);
        read(0);
        read(1);

        readAll(0);
        assertThat(live.events).as("the others do not wait").isEqualTo(3 * WINDOW);
        assertThat(readAll(1)).isEqualTo(texts(PAGE, 3 * WINDOW));
        assertThat(behind).hasSize(1);
        int separate = behind.get(0).events;
        assertThat(separate).isPositive().isLessThanOrEqualTo(3 * WINDOW - PAGE);
        appendInput("a", "new");
        assertThat(read(0)).containsExactly("new");
        assertThat(read(1)).containsExactly("new");

        assertThat(behind.get(0).events).as("it reads from the window again").isEqualTo(separate);
    }

    @Test
    void segmentSlightlyAheadWaitsForTheOthers() {
        appendMany(4 * PAGE);
        read(0);
        reached[1] = positionAfter(3 * PAGE);

        assertThat(read(1)).as("one page at a time").isEmpty();
        assertThat(read(1)).isEqualTo(texts(3 * PAGE, 4 * PAGE));

        assertThat(behind).as("no segment reads separately").isEmpty();
        assertThat(readAll(0)).isEqualTo(texts(PAGE, 4 * PAGE));
        appendInput("a", "new");
        assertThat(read(0)).containsExactly("new");
        assertThat(read(1)).containsExactly("new");
    }

    /** The source may have lost what the segment has read, without a replica that knows it. */
    @Test
    void segmentThatIsAheadOfTheWholeStreamForLongAsksTheSource() {
        appendMany(3);
        StreamPosition lost = new StreamPosition(store.eventLog().identity(), 9, UUID.randomUUID());
        reached[1] = lost;
        readAll(0);
        assertThat(read(1)).isEmpty();
        clock.advance(Duration.ofSeconds(29));
        assertThat(read(1)).isEmpty();
        assertThat(stopped.reasons()).as("the stream may be late").isEmpty();

        clock.advance(Duration.ofSeconds(2));
        read(1);

        assertThat(stopped.reasons()).containsOnlyKeys("input by segment 1");
        assertThat(stopped.reasons().get("input by segment 1")).contains("it went back in time");
    }

    @Test
    void segmentFarAheadReadsSeparately() {
        appendMany(WINDOW + 3 * PAGE);
        read(0);
        reached[1] = positionAfter(WINDOW + 2 * PAGE);

        assertThat(read(1)).isEqualTo(texts(WINDOW + 2 * PAGE, WINDOW + 3 * PAGE));

        assertThat(behind).hasSize(1);
    }

    @Test
    void startsAtTheLowestPositionThatCanReadTogether() {
        appendMany(WINDOW + 4 * PAGE);
        StreamPosition near = positionAfter(WINDOW + PAGE);
        feed.beginStep(List.of(positionAfter(WINDOW + 3 * PAGE), positionAfter(PAGE), near));
        reached[1] = positionAfter(WINDOW + 3 * PAGE);
        reached[2] = near;
        reached[3] = positionAfter(PAGE);

        assertThat(read(2)).isEqualTo(texts(WINDOW + PAGE, WINDOW + 2 * PAGE));

        assertThat(read(1)).isEqualTo(texts(WINDOW + 3 * PAGE, WINDOW + 4 * PAGE));
        assertThat(behind).isEmpty();
        assertThat(read(3)).as("too far behind").isEqualTo(texts(PAGE, 2 * PAGE));
        assertThat(behind).hasSize(1);
    }

    private StreamPosition positionAfter(int events) {
        return store.eventLog().readStream("input", 0, events).get(events - 1).streamPosition();
    }

    @Test
    void asksTheSourceAlthoughTheWindowHasTheEvents() {
        appendMany(PAGE);
        read(0);

        List<SequencedEvent> events = feed.readFromSource(1, reached[1]);

        assertThat(events).hasSize(PAGE);
        assertThat(behind).singleElement().satisfies(source -> assertThat(source.reads)
                .isEqualTo(1));
        reached[1] = events.get(PAGE - 1).event().streamPosition();
        appendInput("a", "new");
        assertThat(read(1)).as("back in the window").containsExactly("new");
        assertThat(behind.get(0).reads).isEqualTo(1);
    }

    @Test
    void keepsNothingForARemovedSegment() {
        appendMany(2 * PAGE);
        read(0);
        read(1);
        feed.removeSegment(1);
        read(0);
        appendInput("a", "new");

        read(0); // drops what all remaining segments have read

        assertThat(read(1)).isEqualTo(texts(PAGE, 2 * PAGE));
        assertThat(behind).hasSize(1);
    }

    @Test
    void onlyRemainingSegmentStartsTheWindowAtItsPosition() {
        appendMany(3 * WINDOW);
        read(0);
        read(1);
        readAll(0);

        feed.removeSegment(0);

        assertThat(readAll(1)).isEqualTo(texts(PAGE, 3 * WINDOW));
        assertThat(behind).isEmpty();
    }

    @Test
    void stopsOnlyTheSeparateReaderWhoseStreamIsBroken() {
        appendMany(3 * WINDOW);
        read(0);
        read(1);
        readAll(0);
        broken = true;

        assertThat(read(1)).isEmpty();
        assertThat(stopped.reasons()).containsOnlyKeys("input by segment 1").containsValue("it is gone");
        appendInput("a", "new");
        assertThat(read(0)).containsExactly("new");
        broken = false;
        assertThat(read(1)).as("not retried all the time").isEmpty();
        clock.advance(Duration.ofSeconds(10));

        assertThat(read(1)).isEqualTo(texts(PAGE, 2 * PAGE));
        assertThat(stopped.reasons()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void retriesAStoppedStreamAfterTenSecondsIfTheClockIsSetMeanwhile(int hours) {
        appendMany(3 * WINDOW);
        read(0);
        read(1);
        readAll(0);
        broken = true;
        read(1);
        broken = false;

        clock.setForward(Duration.ofHours(hours));

        assertThat(read(1)).as("not early").isEmpty();
        clock.advance(Duration.ofSeconds(10));
        assertThat(read(1)).isEqualTo(texts(PAGE, 2 * PAGE));
    }

    @Test
    void forgetsStopOfAReaderThatNoLongerReads() {
        appendMany(3 * WINDOW);
        read(0);
        read(1);
        readAll(0);
        broken = true;
        read(1);
        assertThat(stopped.reasons()).containsOnlyKeys("input by segment 1");

        feed.removeSegment(1);
        assertThat(stopped.reasons()).as("another replica owns it").isEmpty();
        read(1);
        assertThat(stopped.reasons()).containsOnlyKeys("input by segment 1");
        reached[1] = reached[0];
        assertThat(read(1)).isEmpty();

        assertThat(stopped.reasons()).as("it reads from the window").isEmpty();
    }

    @Test
    void forgetsStopOfAWindowThatStartsAgainElsewhere() {
        appendMany(2);
        readAll(1);
        feed.removeSegment(1);
        reached[0] = new StreamPosition(store.eventLog().identity(), 2, UUID.randomUUID());
        assertThat(read(0)).isEmpty();
        assertThat(stopped.reasons()).as("the source has lost its event").containsOnlyKeys("input");

        feed.removeSegment(0);
        assertThat(read(1)).as("it has read everything").isEmpty();

        assertThat(stopped.reasons()).isEmpty();
    }

    @Test
    void doesNotKeepLargeEventsForSlowSegments() {
        live.text = "x".repeat(6 * 1024 * 1024);
        appendMany(1);
        read(0);
        read(1);
        for (int i = 0; i < 5; i++) {
            appendMany(1);
            read(0);
        }

        assertThat(readAll(1)).hasSize(5);
        assertThat(behind).as("a window of 30 MB would be too large").hasSize(1);
    }

    @Test
    void readsTheStreamOnceForAllSegmentsOfAProcessor() {
        appendToKeys(50);
        Counting counting = new Counting();
        EventProcessor processor = builder("copier")
                .settings(ProcessorSettings.DEFAULT)
                .reads("input", counting)
                .calls(copying())
                .build();

        run(processor);
        appendToKeys(50);
        run(processor);

        assertThat(counting.events).isEqualTo(100);
        assertCopiedOnceAndInOrder(50);
    }

    @Test
    void doesNotWaitForAMergedSegment() {
        Counting separate = new Counting();
        EventProcessor one = inTwoSegments(separate);
        run(one);
        CompletableFuture<Integer> merged = one.merge(1);
        run(one);
        assertThat(merged).isCompletedWithValue(0);
        clock.advance(Duration.ofSeconds(11));
        EventProcessor other = inTwoSegments(new Counting());
        appendMany(100);
        runFor(Duration.ofSeconds(60), other);
        run(one); // it has lost its segment
        other.release();

        runFor(Duration.ofSeconds(6), one);
        appendInput("a", "new");
        run(one);

        assertThat(output()).hasSize(101).endsWith("new");
        assertThat(separate.reads).as("no segment is far from the window").isZero();
    }

    private EventProcessor inTwoSegments(StreamSource separate) {
        StreamSources sources = new StreamSources() {
            @Override
            public StreamSource live(int generation) {
                return new Counting();
            }

            @Override
            public StreamSource catchUp(int generation) {
                return separate;
            }
        };
        return builder("copier")
                .settings(ProcessorSettings.DEFAULT.segments(2).batch(1))
                .reads("input", sources)
                .calls(copying())
                .build();
    }

    /** Counts reads and events. */
    private final class Counting implements StreamSource {

        private final StreamSource source =
                new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/copier");
        /** The text of all events; empty leaves them unchanged. */
        private String text = "";

        private int reads;
        private int events;

        @Override
        public Optional<StreamPosition> start(String stream, StartAt start) {
            return source.start(stream, start);
        }

        @Override
        public List<EventMessage> read(String stream, StreamPosition after, int limit) {
            if (broken && this != live) {
                throw new StreamBrokenException("it is gone");
            }
            List<EventMessage> read = source.read(stream, after, limit);
            reads++;
            events += read.size();
            return text.isEmpty() ? read : read.stream().map(this::enlarged).toList();
        }

        private EventMessage enlarged(EventMessage event) {
            return new EventMessage(
                    event.id(),
                    event.source(),
                    event.stream(),
                    event.key(),
                    event.version(),
                    event.occurredAt(),
                    event.metadata(),
                    new Payload(event.type(), 1, "{\"text\":\"" + text + "\"}"),
                    event.logPosition());
        }

        @Override
        public void onResponse(Runnable signal) {}

        @Override
        public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
            return source.positionAfterRestore(stream, reader);
        }

        @Override
        public Optional<Long> head(String stream) {
            return source.head(stream);
        }

        @Override
        public void report(String stream, @Nullable StreamPosition start, StreamPosition reached) {}
    }
}
