package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPlace;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.token.Segment;
import io.holdfast.wire.LogStreamSource;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamBrokenException;
import io.holdfast.wire.StreamSource;
import io.holdfast.wire.WireStreamSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventProcessorTests {

    private static final AggregateType<Text> INPUT = texts("input");
    private static final AggregateType<Text> OUTPUT = texts("output");

    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    private final InMemoryStore store = new InMemoryStore("test", clock);
    private final GroupCommitter committer = new GroupCommitter(
            CommitterSettings.of("test"),
            store.commitStore(),
            store.eventLog(),
            new AggregateStates(store.eventLog(), codec),
            store.viewStore(),
            codec,
            clock);
    private final List<String> handled = new ArrayList<>();
    private final List<String> failing = new ArrayList<>();

    @Test
    void commitsEffectsAndPositionInOneUnit() {
        say("a", "1", "2", "3");
        EventProcessor processor = processor("copier", copying());

        run(processor);

        assertThat(output()).containsExactly("1", "2", "3");
        assertThat(position(processor)).isEqualTo(3);
        assertThat(committer.statistics().commits()).isEqualTo(2);
    }

    @Test
    void doesNotHandleAgainWhatItHasDealtWithEvenAYearLater() {
        say("a", "1");
        run(processor("copier", copying()));
        clock.advance(Duration.ofDays(365));

        run(processor("copier", copying()));

        assertThat(handled).containsExactly("1");
    }

    @Test
    void handsAnEventToEveryComponentThatWantsIt() {
        say("a", "1");

        run(processor(
                "copier",
                copying(),
                Component.named("second").on(Said.class, this::copy).build()));

        assertThat(output()).containsExactly("1", "1");
    }

    @Test
    void passesOverEventsThatNoComponentWants() {
        say("a", "1");
        EventProcessor processor = processor(
                "copier",
                Component.named("other").on(Text.class, (event, context) -> {}).build());

        run(processor);

        assertThat(position(processor)).isEqualTo(1);
    }

    @Test
    void isHeldByAnEventWhoseHandlerFailsAndCommitsWhatCameBefore() {
        say("a", "1", "2", "3");
        failing.add("2");
        EventProcessor processor = processor("copier", copying());

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(processor.status().heldBy()).isPresent();
        assertThat(processor.status().failures()).isEqualTo(1);
        assertThat(processor.status().error().orElseThrow()).contains("cannot copy 2");
    }

    @Test
    void goesOnInOrderWhenTheFailurePasses() {
        say("a", "1", "2", "3");
        failing.add("2");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        assertThat(handled).containsExactly("1");
        clock.advance(Duration.ofMillis(300));
        run(processor);
        assertThat(output()).containsExactly("1");

        failing.clear();
        clock.advance(Duration.ofSeconds(1));
        run(processor);

        assertThat(output()).containsExactly("1", "2", "3");
        assertThat(processor.status().heldBy()).isEmpty();
        assertThat(processor.status().failures()).isZero();
    }

    @Test
    void isHeldByAnEventWhoseDecisionFailsAndRunsNoOtherHandlerTwice() {
        say("a", "1", "2", "3");
        List<String> refused = new ArrayList<>(List.of("2"));
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .on(Said.class, (event, context) -> {
                            handled.add(event.text());
                            context.decide(decision -> {
                                if (refused.contains(event.text())) {
                                    throw new IllegalStateException("refused");
                                }
                                decision.append(OUTPUT, "all", event);
                            });
                        })
                        .build());

        run(processor);
        assertThat(output()).containsExactly("1");
        assertThat(processor.status().heldBy()).isPresent();
        refused.clear();
        clock.advance(Duration.ofSeconds(1));
        run(processor);

        assertThat(output()).containsExactly("1", "2", "3");
        assertThat(handled).containsExactly("1", "2", "3", "2");
    }

    /** A handler in Kotlin throws checked exceptions; libraries throw errors of their own. */
    @ParameterizedTest
    @ValueSource(classes = {IOException.class, ServiceConfigurationError.class, StackOverflowError.class})
    void isHeldWhateverAHandlerThrows(Class<? extends Throwable> type) {
        say("a", "1", "2");
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .on(Said.class, (event, context) -> {
                            if (event.text().equals("2")) {
                                throw EventProcessorTests.<RuntimeException>sneaky(thrown(type));
                            }
                            copy(event, context);
                        })
                        .build());

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(processor.status().heldBy()).isPresent();
        assertThat(processor.status().error().orElseThrow()).contains(type.getSimpleName());
    }

    private static Throwable thrown(Class<? extends Throwable> type) {
        return switch (type.getSimpleName()) {
            case "IOException" -> new IOException("thrown");
            case "ServiceConfigurationError" -> new ServiceConfigurationError("thrown");
            default -> new StackOverflowError("thrown");
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler shall not see that it is checked
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void readsWhatIsThereWhileTheSourceOfAnotherStreamDoesNotAnswer() {
        say("a", "1");
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new WireStreamSource(new InMemoryWire(), "test/copier"))
                .calls(copying())
                .build();

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(processor.status().error()).contains("the source of stream elsewhere does not answer yet");
    }

    @Test
    void goesOnWithItsOtherStreamsWhenOneCannotBeReadOn() {
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        run(processor);
        say("a", "1");

        run(processor);

        assertThat(output()).containsExactly("1");
        assertThat(processor.status().heldBy()).isEmpty();
        assertThat(processor.status().stoppedStreams())
                .containsExactly(Map.entry("elsewhere", "it has forgotten; accept"));
    }

    @Test
    void goesOnWithARestoredSourceWhenAnOperatorAcceptsIt() {
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        run(processor);

        CompletableFuture<AcceptedRestore> accepted = processor.acceptRestore("elsewhere");
        run(processor);

        assertThat(accepted)
                .isCompletedWithValue(
                        new AcceptedRestore("elsewhere", RestoredSource.STOOD_AT, RestoredSource.GOES_ON_FROM));
        assertThat(processor.status().stoppedStreams()).isEmpty();
        assertThat(elsewhere())
                .as("durable, and one further")
                .isEqualTo(new StreamPosition(RestoredSource.GOES_ON_FROM.log(), 4, RestoredSource.NEXT));
    }

    @Test
    void acceptsARestoreWhileItsOtherStreamsNeverPause() {
        EventProcessor processor = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .batch(2)
                .build();
        run(processor);
        say("a", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        processor.step();

        CompletableFuture<AcceptedRestore> accepted = processor.acceptRestore("elsewhere");
        for (int i = 0; i < 3; i++) {
            processor.step(); // while the committer has not answered
            committer.commitWaiting();
            processor.step();
        }

        assertThat(accepted).isCompleted();
        assertThat(output()).as("there is more to do").doesNotContain("9");
    }

    @Test
    void doesNotGoBackForARestoreThatAnotherReplicaHasAcceptedMeanwhile() {
        RestoredSource source = new RestoredSource();
        EventProcessor late =
                builder("copier").reads("elsewhere", source).calls(copying()).build();
        run(late);
        var refused = late.acceptRestore("elsewhere");
        late.step();
        clock.advance(Duration.ofSeconds(11));
        EventProcessor other = builder("copier")
                .reads("elsewhere", new RestoredSource())
                .calls(copying())
                .build();
        var accepted = other.acceptRestore("elsewhere");
        run(other);
        assertThat(accepted).isCompleted();
        assertThat(elsewhere())
                .isEqualTo(new StreamPosition(RestoredSource.GOES_ON_FROM.log(), 4, RestoredSource.NEXT));
        other.release();

        source.answers = false;
        run(late);

        assertThat(refused).isNotCompleted();
        assertThat(elsewhere().position()).isEqualTo(4);
    }

    private StreamPosition elsewhere() {
        return Objects.requireNonNull(store.tokenStore()
                .find(new Segment("copier", 0))
                .orElseThrow()
                .positions()
                .get("elsewhere"));
    }

    @Test
    void refusesToAcceptWhereNothingIsForgotten() {
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

    @Test
    void isHeldByAnEventWhoseContentTheWireCouldNotCarry() {
        EventMessage lost = new EventMessage(
                        UUID.randomUUID(),
                        "other",
                        "elsewhere",
                        "a",
                        1,
                        clock.instant(),
                        Metadata.none(),
                        codec.encode(new Said("x")),
                        new LogPlace(RestoredSource.GOES_ON_FROM.log(), 4, 0, null))
                .withoutContent();
        assertThatThrownBy(() -> new Handlers("test", "copier", List.of(copying()), codec).handle(lost))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("position 4 of stream elsewhere")
                .hasMessageContaining("mend it at its source, service other");
    }

    /** Another service's stream, of which the processor has read more than the source now has. */
    private static final class RestoredSource implements StreamSource {

        private static final UUID LOG = UUID.randomUUID();
        static final StreamPosition STOOD_AT = new StreamPosition(new LogIdentity(LOG, 1), 5, UUID.randomUUID());
        static final StreamPosition GOES_ON_FROM = new StreamPosition(new LogIdentity(LOG, 2), 3, null);
        static final UUID NEXT = UUID.randomUUID();

        boolean answers = true;

        @Override
        public Optional<StreamPosition> start(String stream, StartAt start) {
            return Optional.of(STOOD_AT);
        }

        @Override
        public List<EventMessage> read(String stream, StreamPosition after, int limit) {
            if (after.equals(STOOD_AT)) {
                throw new StreamBrokenException("it has forgotten; accept");
            }
            return after.equals(GOES_ON_FROM) ? List.of(next()) : List.of();
        }

        @Override
        public Optional<StreamPosition> restored(String stream, StreamPosition reader) {
            return answers ? Optional.of(GOES_ON_FROM) : Optional.empty();
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
                    new LogPlace(GOES_ON_FROM.log(), 4, 0, null));
        }

        @Override
        public void onAnswer(Runnable signal) {}

        @Override
        public void report(String stream, StreamPosition reached) {}
    }

    @Test
    void readsAStreamWhoseStartAnotherReplicaHasResolved() {
        say("a", "1");
        EventProcessor waiting = new EventProcessorBuilder(
                        "test", "copier", "waiting", store.tokenStore(), committer, codec, clock)
                .reads("input", new WireStreamSource(new InMemoryWire(), "test/copier"))
                .reads("output", new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/copier"))
                .calls(copying())
                .build();
        run(waiting);
        store.tokenStore()
                .initialize(
                        new Segment("copier", 0),
                        Map.of(
                                "input",
                                StreamPosition.beginning(store.eventLog().identity())));

        run(waiting);

        assertThat(waiting.status().error()).isEmpty();
        assertThat(waiting.status().positions()).containsKeys("input", "output");
    }

    @Test
    void startsNowWhenToldAndResolvesThatOnce() {
        say("a", "before");
        EventProcessor processor =
                builder("copier").startsAt(StartAt.NOW).calls(copying()).build();
        run(processor);
        say("a", "after");

        run(builder("copier").startsAt(StartAt.BEGINNING).calls(copying()).build());
        run(processor);

        assertThat(handled).containsExactly("after");
    }

    @Test
    void leavesTheSegmentToWhoeverHoldsItUntilTheLeaseEnds() {
        say("a", "1");
        EventProcessor first = processor("copier", copying());
        run(first);
        EventProcessor second = processor("copier", copying());
        run(second);
        assertThat(second.status().claimed()).isFalse();
        say("a", "2");

        clock.advance(Duration.ofSeconds(11));
        run(second);
        run(first);

        assertThat(second.status().claimed()).isTrue();
        assertThat(first.status().claimed()).isFalse();
        assertThat(output()).containsExactly("1", "2");
    }

    @Test
    void keepsItsSegmentWhileItIsHeld() {
        say("a", "1");
        failing.add("1");
        EventProcessor first = processor("copier", copying());
        for (int i = 0; i < 40; i++) {
            run(first);
            clock.advance(Duration.ofSeconds(2));
        }

        EventProcessor second = processor("copier", copying());
        run(second);

        assertThat(first.status().heldBy()).isPresent();
        assertThat(first.status().claimed()).isTrue();
        assertThat(second.status().claimed()).isFalse();
    }

    @Test
    void aReleasedSegmentIsTakenAtOnce() {
        say("a", "1");
        EventProcessor first = processor("copier", copying());
        run(first);
        first.release();

        EventProcessor second = processor("copier", copying());
        run(second);

        assertThat(second.status().claimed()).isTrue();
        assertThat(handled).containsExactly("1");
    }

    @Test
    void aWorkerThatLostItsSegmentCannotCommitWhatItHandled() {
        say("a", "1");
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
    void isNoLongerHeldByAnEventThatAnotherReplicaHasDealtWith() {
        say("a", "1");
        failing.add("1");
        EventProcessor held = processor("copier", copying());
        run(held);
        assertThat(held.status().heldBy()).isPresent();
        clock.advance(Duration.ofSeconds(11));
        failing.clear();
        EventProcessor other = processor("copier", copying());
        run(other);
        other.release();

        run(held);
        assertThat(held.status().heldBy()).isEmpty();
        assertThat(held.status().failures()).isZero();

        say("a", "2");
        run(held);
        assertThat(output()).containsExactly("1", "2");
    }

    @Test
    void namesTheEventThatCausedAnother() {
        say("a", "1");

        run(processor("copier", copying()));

        EventMessage cause = store.eventLog().readStream("input", 0, 10).get(0);
        Metadata metadata = store.eventLog().readStream("output", 0, 10).get(0).metadata();
        assertThat(metadata.causationId()).contains(cause.id().toString());
        assertThat(metadata.correlationId()).contains(cause.id().toString());
    }

    @Test
    void refusesComponentsThatCouldNotBeToldApart() {
        assertThatThrownBy(() -> processor("copier", copying(), copying()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("two components named copies");
        assertThatThrownBy(() -> builder("copier").build())
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("a component to call");
    }

    private void run(EventProcessor processor) {
        for (int i = 0; i < 10; i++) {
            processor.step();
            committer.commitWaiting();
        }
    }

    private static long position(EventProcessor processor) {
        return Objects.requireNonNull(processor.status().positions().get("input"))
                .position();
    }

    private EventProcessorBuilder builder(String name) {
        return new EventProcessorBuilder(
                        "test", name, UUID.randomUUID().toString(), store.tokenStore(), committer, codec, clock)
                .reads("input", new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/copier"));
    }

    private EventProcessor processor(String name, Component... components) {
        EventProcessorBuilder builder = builder(name);
        List.of(components).forEach(builder::calls);
        return builder.build();
    }

    private Component copying() {
        return Component.named("copies").on(Said.class, this::copy).build();
    }

    private void copy(Said event, EventContext context) {
        if (failing.contains(event.text())) {
            throw new IllegalStateException("cannot copy " + event.text());
        }
        handled.add(event.text());
        context.decide(decision -> decision.append(OUTPUT, "all", event));
    }

    private void say(String key, String... texts) {
        var answer = committer.submit(
                CommitUnit.of(Part.of(new PartId(UUID.randomUUID(), "test"), Metadata.none(), context -> List.of(texts)
                        .forEach(text -> context.append(INPUT, key, new Said(text))))));
        committer.commitWaiting();
        answer.join();
    }

    private List<String> output() {
        return store.eventLog().readStream("output", 0, 100).stream()
                .map(event -> codec.decode(event.payload(), Said.class).text())
                .toList();
    }

    private static AggregateType<Text> texts(String stream) {
        return AggregateType.of(stream, Text.class, new Text(""))
                .on(Said.class, (text, event) -> new Text(event.text()))
                .build();
    }

    record Said(String text) {}

    record Text(String last) {}
}
