package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.Cause;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.token.Segment;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.RestoredPosition;
import io.holdfast.wire.source.StreamBrokenException;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.WireStreamSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventProcessorTests extends ProcessorScenario {

    @Test
    void commitsEffectsAndPositionInOneUnit() {
        appendInput("a", "1", "2", "3");
        EventProcessor processor = processor("copier", copying());

        run(processor);

        assertThat(output()).containsExactly("1", "2", "3");
        assertThat(position(processor)).isEqualTo(3);
        assertThat(committer.statistics().commits()).isEqualTo(2);
    }

    @Test
    void skipsProcessedEventsEvenAYearLater() {
        appendInput("a", "1");
        run(processor("copier", copying()));
        clock.advance(Duration.ofDays(365));

        run(processor("copier", copying()));

        assertThat(handled).containsExactly("1");
    }

    @Test
    void passesEventToEveryComponentThatHandlesIt() {
        appendInput("a", "1");

        run(processor(
                "copier",
                copying(),
                Component.named("second").on(TextAdded.class, this::copy).build()));

        assertThat(output()).containsExactly("1", "1");
    }

    @Test
    void skipsEventsThatNoComponentHandles() {
        appendInput("a", "1");
        EventProcessor processor = processor(
                "copier",
                Component.named("other").on(Text.class, (event, context) -> {}).build());

        run(processor);
        assertThat(position(processor)).isEqualTo(1);
        assertThat(stored("input").position())
                .as("a position without effects is saved late")
                .isZero();
        runFor(Duration.ofSeconds(6), processor);

        assertThat(stored("input").position()).isEqualTo(1);
    }

    /** Kotlin handlers throw checked exceptions, and libraries throw their own errors. */
    @ParameterizedTest
    @ValueSource(classes = {IOException.class, ServiceConfigurationError.class, StackOverflowError.class})
    void parksAnyThrowable(Class<? extends Throwable> type) {
        appendInput("a", "1", "2");
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            if (event.text().equals("2")) {
                                throw EventProcessorTests.<RuntimeException>sneakyThrow(thrown(type));
                            }
                            copy(event, context);
                        })
                        .build());

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(parkedTexts("a")).containsExactly("2");
        assertThat(letters("a").get(0).cause()).extracting(Cause::type).isEqualTo(type.getName());
    }

    private static Throwable thrown(Class<? extends Throwable> type) {
        return switch (type.getSimpleName()) {
            case "IOException" -> new IOException("thrown");
            case "ServiceConfigurationError" -> new ServiceConfigurationError("thrown");
            default -> new StackOverflowError("thrown");
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // hides from the compiler that it is checked
    private static <T extends Throwable> T sneakyThrow(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void readsStreamWhileSourceOfAnotherDoesNotRespond() {
        appendInput("a", "1");
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new WireStreamSource(new InMemoryWire(), "test/copier"))
                .calls(copying())
                .build();

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(processor.status().error())
                .contains("the source of stream elsewhere does not respond yet; retrying");
    }

    @Test
    void continuesWithOtherStreamsWhenOneIsStopped() {
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        run(processor);
        appendInput("a", "1");

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(processor.status().stoppedStreams())
                .containsExactly(Map.entry("elsewhere", "it lost events; accept"));
    }

    @Test
    void resumesRestoredSourceWhenOperatorAcceptsIt() {
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        run(processor);

        CompletableFuture<AcceptedRestore> accepted = processor.acceptRestore("elsewhere");
        runFor(Duration.ofSeconds(6), processor);

        assertThat(accepted)
                .isCompletedWithValue(new AcceptedRestore(
                        "elsewhere", RestoredSource.STORED_POSITION, RestoredSource.RESUME_POSITION));
        assertThat(processor.status().stoppedStreams()).isEmpty();
        assertThat(elsewhere())
                .as("durable, and one event further")
                .isEqualTo(new StreamPosition(RestoredSource.RESUME_POSITION.log(), 4, RestoredSource.NEXT));
    }

    @Test
    void reportsNoStoppedStreamOnceOtherReplicasReadIt() {
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        run(processor);
        assertThat(processor.status().stoppedStreams()).containsOnlyKeys("elsewhere");

        var released = processor.release(0);
        run(processor);

        assertThat(released).isCompleted();
        assertThat(processor.status().stoppedStreams()).isEmpty();
    }

    @Test
    void clearsStoppedStreamAfterReset() {
        RestoredSource source = new RestoredSource();
        EventProcessor processor = builder("copier")
                .reads("elsewhere", source)
                .calls(Component.named("copies")
                        .on(TextAdded.class, this::copy)
                        .resettable()
                        .build())
                .build();
        run(processor);
        assertThat(processor.status().stoppedStreams()).containsOnlyKeys("elsewhere");
        source.startsAt = new StreamPosition(RestoredSource.RESUME_POSITION.log(), 4, RestoredSource.NEXT);

        CompletableFuture<Integer> reset = processor.reset(StartAt.NOW);
        runFor(Duration.ofSeconds(20), processor);

        assertThat(reset).isCompletedWithValue(2);
        assertThat(processor.status().stoppedStreams()).isEmpty();
    }

    @Test
    void rejectsOperationsWhenClosed() {
        EventProcessor processor = processor("copier", copying());
        run(processor);
        CompletableFuture<Integer> before = processor.split(0);

        processor.release();
        CompletableFuture<@Nullable Void> after = processor.release(0);

        assertThat(before)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("processor copier is closed");
        assertThat(after).isCompletedExceptionally();
    }

    @Test
    void doesNotMoveBackForRestoreThatAnotherReplicaAccepted() {
        RestoredSource silent = new RestoredSource();
        silent.responds = false;
        EventProcessor late =
                builder("copier").reads("elsewhere", silent).calls(copying()).build();
        run(late);
        var rejected = late.acceptRestore("elsewhere");
        run(late);
        EventProcessor other = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        var accepted = other.acceptRestore("elsewhere");
        run(other);
        assertThat(accepted).isCompleted();

        silent.responds = true;
        runFor(Duration.ofSeconds(20), late);

        assertThat(rejected).isCompletedExceptionally();
        assertThat(elsewhere().position()).isEqualTo(4);
    }

    private StreamPosition elsewhere() {
        return stored("elsewhere");
    }

    private StreamPosition stored(String stream) {
        return Objects.requireNonNull(store.tokenStore()
                .find(new Segment("copier", 0))
                .orElseThrow()
                .positions()
                .get(stream));
    }

    @Test
    void rejectsAcceptRestoreWhenNothingIsLost() {
        EventProcessor processor = builder("copier").calls(copying()).build();
        run(processor);

        CompletableFuture<AcceptedRestore> healthy = processor.acceptRestore("input");
        CompletableFuture<AcceptedRestore> unread = processor.acceptRestore("elsewhere");
        run(processor);

        assertThat(healthy)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("there is nothing to accept");
        assertThat(unread).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("does not read");
    }

    /** A stream of another service, of which the processor has read more than the source now has. */
    private static final class RestoredSource implements StreamSource {

        private static final UUID LOG = UUID.randomUUID();
        static final StreamPosition STORED_POSITION = new StreamPosition(new LogIdentity(LOG, 1), 5, UUID.randomUUID());
        static final StreamPosition RESUME_POSITION = new StreamPosition(new LogIdentity(LOG, 2), 3, null);
        static final UUID NEXT = UUID.randomUUID();

        boolean responds = true;
        StreamPosition startsAt = STORED_POSITION;

        @Override
        public Optional<StreamPosition> start(String stream, StartAt start) {
            return Optional.of(startsAt);
        }

        @Override
        public List<EventMessage> read(String stream, StreamPosition after, int limit) {
            if (after.equals(STORED_POSITION)) {
                throw new StreamBrokenException("it lost events; accept");
            }
            return after.equals(RESUME_POSITION) ? List.of(next()) : List.of();
        }

        @Override
        public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
            boolean unchanged = reader.log().equals(RESUME_POSITION.log());
            StreamPosition resumed = unchanged ? reader : RESUME_POSITION;
            return responds ? Optional.of(new RestoredPosition(unchanged, resumed)) : Optional.empty();
        }

        private static EventMessage next() {
            return new EventMessage(
                    NEXT,
                    "other",
                    "elsewhere",
                    "a",
                    1,
                    Instant.EPOCH,
                    Metadata.none(),
                    new Payload("Unheard", 1, "{}"),
                    new LogPosition(RESUME_POSITION.log(), 4, 0, null));
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

    @Test
    void readsStreamWhoseStartAnotherReplicaResolved() {
        appendInput("a", "1");
        EventProcessor waiting = new EventProcessorBuilder("test", "copier", "waiting", stores(), codec, clock)
                .reads("input", new WireStreamSource(new InMemoryWire(), "test/copier"))
                .reads("output", new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/copier"))
                .calls(copying())
                .build();
        run(waiting);
        store.tokenStore()
                .initialize(
                        "copier",
                        16,
                        Map.of(
                                "input",
                                StreamPosition.beginning(store.eventLog().identity())));

        runFor(Duration.ofSeconds(1), waiting);

        assertThat(waiting.status().error()).isEmpty();
        assertThat(waiting.status().positions()).containsKeys("input", "output");
    }

    @Test
    void resolvesConfiguredStartOnce() {
        appendInput("a", "before");
        EventProcessor processor =
                builder("copier").startsAt(StartAt.NOW).calls(copying()).build();
        run(processor);
        appendInput("a", "after");

        run(builder("copier").startsAt(StartAt.BEGINNING).calls(copying()).build());
        run(processor);

        assertThat(handled).containsExactly("after");
    }

    @Test
    void leavesSegmentToOwnerUntilLeaseExpires() {
        appendInput("a", "1");
        EventProcessor first = processor("copier", copying());
        run(first);
        EventProcessor second = processor("copier", copying());
        run(second);
        assertThat(second.status().isClaimed()).isFalse();
        appendInput("a", "2");

        clock.advance(Duration.ofSeconds(11));
        run(second);
        run(first);

        assertThat(second.status().isClaimed()).isTrue();
        assertThat(first.status().isClaimed()).isFalse();
        assertThat(output()).containsExactly("1", "2");
    }

    @Test
    void claimsReleasedSegmentImmediately() {
        appendInput("a", "1");
        EventProcessor first = processor("copier", copying());
        run(first);
        first.release();

        EventProcessor second = processor("copier", copying());
        run(second);

        assertThat(second.status().isClaimed()).isTrue();
        assertThat(handled).containsExactly("1");
    }

    @Test
    void rejectsCommitOfReplicaThatLostItsSegment() {
        appendInput("a", "1");
        EventProcessor zombie = processor("copier", copying());
        zombie.step();
        clock.advance(Duration.ofSeconds(11));
        EventProcessor successor = processor("copier", copying());
        successor.step();

        committer.commitWaiting();
        run(successor);
        run(zombie);

        assertThat(output()).containsExactly("1");
    }

    @Test
    void recordsCausationAndCorrelationIds() {
        appendInput("a", "1");

        run(processor("copier", copying()));

        EventMessage cause = store.eventLog().readStream("input", 0, 10).get(0);
        Metadata metadata = store.eventLog().readStream("output", 0, 10).get(0).metadata();
        assertThat(metadata.causationId()).contains(cause.id().toString());
        assertThat(metadata.correlationId()).contains(cause.id().toString());
    }

    @Test
    void rejectsDuplicateOrMissingComponents() {
        assertThatThrownBy(() -> processor("copier", copying(), copying()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("two components named copies");
        assertThatThrownBy(() -> builder("copier").build())
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("a component to call");
    }
}
