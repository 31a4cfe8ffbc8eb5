package io.holdfast.processing.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.token.Segment;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.WireUnavailableException;
import io.holdfast.wire.source.RestoredPosition;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.StreamSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PositionReportsTests {

    private static final LogIdentity LOG = new LogIdentity(UUID.randomUUID(), 1);

    private final InMemoryStore store = new InMemoryStore("test", new ManualClock());
    private final List<String> reported = new ArrayList<>();
    private final List<Optional<Long>> starts = new ArrayList<>();
    private final PositionReports reports = new PositionReports(
            store.tokenStore(), "copier", Map.of("notes", StreamSources.single(new RecordingSource())));
    private boolean down;

    private void storePosition(int segment, long position) {
        storePosition(segment, LOG, position);
    }

    private void storePosition(int segment, LogIdentity log, long position) {
        store.tokenStore()
                .initialize(new Segment("copier", segment), Map.of("notes", new StreamPosition(log, position, null)));
    }

    @Test
    void reportsLowestPositionOfAllSegments() {
        storePosition(0, 7);
        storePosition(1, 3);
        storePosition(2, 9);

        reports.step();

        assertThat(reported).containsExactly("notes 3");
    }

    @Test
    void reportsStartOfEveryGeneration() {
        storePosition(0, 7);
        store.tokenStore().reset("copier", 1, Map.of("notes", new StreamPosition(LOG, 4, null)));

        reports.step();

        assertThat(reported).containsExactly("notes 4", "notes 4");
        assertThat(starts).containsExactly(Optional.of(7L), Optional.of(4L));
    }

    @Test
    void treatsOlderEpochAsLower() {
        storePosition(0, new LogIdentity(LOG.id(), 2), 3);
        storePosition(1, 7);

        reports.step();

        assertThat(reported).containsExactly("notes 7");
    }

    @Test
    void reportsNothingUntilEverySegmentHasAPosition() {
        storePosition(0, 7);
        store.tokenStore().initialize(new Segment("copier", 1), Map.of());

        reports.step();

        assertThat(reported).isEmpty();
    }

    @Test
    void repeatsUnchangedPositionOnlyOccasionally() {
        storePosition(0, 7);

        for (int second = 0; second < 60; second++) {
            reports.step();
        }

        assertThat(reported).hasSizeBetween(2, 3);
    }

    @Test
    void retriesWhenTheWireIsDown() {
        storePosition(0, 7);
        down = true;
        reports.step();
        down = false;

        reports.step();

        assertThat(reported).containsExactly("notes 7");
    }

    private final class RecordingSource implements StreamSource {

        @Override
        public Optional<StreamPosition> start(String stream, StartAt start) {
            return Optional.empty();
        }

        @Override
        public List<EventMessage> read(String stream, StreamPosition after, int limit) {
            return List.of();
        }

        @Override
        public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
            return Optional.empty();
        }

        @Override
        public Optional<Long> head(String stream) {
            return Optional.empty();
        }

        @Override
        public void onResponse(Runnable signal) {}

        @Override
        public void report(String stream, @Nullable StreamPosition start, StreamPosition reached) {
            if (down) {
                throw new WireUnavailableException("down");
            }
            reported.add(stream + " " + reached.position());
            starts.add(Optional.ofNullable(start).map(StreamPosition::position));
        }
    }
}
