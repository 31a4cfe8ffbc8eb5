package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.RestoredPosition;
import io.holdfast.wire.source.StreamBrokenException;
import io.holdfast.wire.source.StreamSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where a reader resumes after its source has lost events, and has started an epoch that may not know all of them. */
class AcceptRestoreTests extends ProcessorScenario {

    private final RestoredSource source = new RestoredSource();

    @Test
    void resumesAtTheNewestEventThatTheSourceStillContains() {
        source.restore(4, 3);

        CompletableFuture<AcceptedRestore> accepted = acceptAfterReading();

        assertThat(accepted.join().resumePosition()).isEqualTo(source.inNewestEpoch(4));
    }

    @Test
    void doesNotTrustAnEpochThatStartsAboveLostEvents() {
        source.restore(3, 4);

        CompletableFuture<AcceptedRestore> accepted = acceptAfterReading();

        assertThat(accepted.join().resumePosition())
                .as("position 4 has another event now, which was never read")
                .isEqualTo(source.inNewestEpoch(3));
    }

    @Test
    void resumesAtTheEpochStartIfEverythingReadSinceIsLost() {
        source.restore(0, 2);

        CompletableFuture<AcceptedRestore> accepted = acceptAfterReading();

        assertThat(accepted.join().resumePosition()).isEqualTo(new StreamPosition(RestoredSource.RESTORED, 2, null));
    }

    @Test
    void requiresAPositionIfOnlyAnEpochThatStartsAboveLostEventsIsKnown() {
        source.restore(0, 4);

        CompletableFuture<AcceptedRestore> accepted = acceptAfterReading();

        assertThat(accepted)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("its epoch starts at position 4, but it has already lost position 3 before that")
                .withMessageContaining("Determine the position and pass it to acceptRestore");
    }

    @Test
    void resumesAtThePositionThatTheOperatorNames() {
        source.restore(0, 4);
        EventProcessor processor = readEverything();

        CompletableFuture<AcceptedRestore> accepted = processor.acceptRestore("elsewhere", 1L);
        run(processor);

        assertThat(accepted.join().resumePosition()).isEqualTo(new StreamPosition(RestoredSource.RESTORED, 1, null));
    }

    private CompletableFuture<AcceptedRestore> acceptAfterReading() {
        EventProcessor processor = readEverything();
        CompletableFuture<AcceptedRestore> accepted = processor.acceptRestore("elsewhere");
        run(processor);
        return accepted;
    }

    private EventProcessor readEverything() {
        EventProcessor processor =
                builder("copier").reads("elsewhere", source).calls(copying()).build();
        run(processor);
        runFor(Duration.ofSeconds(6), processor); // positions that were only skipped are stored late
        assertThat(processor.status().stoppedStreams()).containsOnlyKeys("elsewhere");
        return processor;
    }

    /** Has three events, at positions 3 to 5. Once they are read, it turns out to have lost some of them. */
    private static final class RestoredSource implements StreamSource {

        private static final LogIdentity ORIGINAL = new LogIdentity(UUID.randomUUID(), 1);
        static final LogIdentity RESTORED = new LogIdentity(ORIGINAL.id(), 2);

        private final List<EventMessage> events =
                Stream.of(3, 4, 5).map(RestoredSource::event).toList();
        private long unchanged;
        private long epochStart;

        void restore(long unchangedUpTo, long startOfEpoch) {
            unchanged = unchangedUpTo;
            epochStart = startOfEpoch;
        }

        StreamPosition inNewestEpoch(long position) {
            return new StreamPosition(RESTORED, position, id(position));
        }

        private static UUID id(long position) {
            return new UUID(0, position);
        }

        private static EventMessage event(int position) {
            UUID previous = position == 3 ? null : id(position - 1);
            return new EventMessage(
                    id(position),
                    "other",
                    "elsewhere",
                    "a",
                    position,
                    Instant.EPOCH,
                    Metadata.none(),
                    new Payload("Unheard", 1, "{}"),
                    new LogPosition(ORIGINAL, position, previous == null ? 0 : position - 1, previous));
        }

        @Override
        public Optional<StreamPosition> start(String stream, StartAt start) {
            return Optional.of(StreamPosition.beginning(ORIGINAL));
        }

        @Override
        public List<EventMessage> read(String stream, StreamPosition after, int limit) {
            if (after.position() == 5) {
                throw new StreamBrokenException("it lost events; accept");
            }
            return events.stream()
                    .filter(event -> after.log().equals(ORIGINAL) && event.position() > after.position())
                    .toList();
        }

        @Override
        public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
            boolean contained = reader.position() <= unchanged;
            return Optional.of(new RestoredPosition(
                    contained,
                    contained
                            ? inNewestEpoch(reader.position())
                            : new StreamPosition(RESTORED, Math.min(epochStart, reader.position()), null)));
        }

        @Override
        public Optional<Long> head(String stream) {
            return Optional.empty();
        }

        @Override
        public void onResponse(Runnable signal) {}

        @Override
        public void report(String stream, @Nullable StreamPosition start, StreamPosition reached) {}
    }
}
