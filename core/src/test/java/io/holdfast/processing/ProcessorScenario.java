package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.token.Segments;
import io.holdfast.wire.source.LogStreamSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A service whose processor copies events from its stream {@code input} to its stream {@code output}. */
abstract class ProcessorScenario {

    static final AggregateType<Text> INPUT = texts("input");
    static final AggregateType<Text> OUTPUT = texts("output");

    final ManualClock clock = new ManualClock();
    final PayloadCodec codec = new PayloadCodec();
    /** The failures that the store throws before it writes, by commit point. */
    final Map<CommitPoint, RuntimeException> failingBefore = new EnumMap<>(CommitPoint.class);
    /** The failures that the store throws after it has written, by commit point. */
    final Map<CommitPoint, RuntimeException> failingAfter = new EnumMap<>(CommitPoint.class);
    /** How often the store has written, by commit point. */
    final Map<CommitPoint, Integer> writes = new EnumMap<>(CommitPoint.class);

    final InMemoryStore store = new InMemoryStore("test", clock, new Failing());
    final GroupCommitter committer = newCommitter();
    /** The texts that handlers have handled. */
    final List<String> handled = new ArrayList<>();
    /** The texts for which handlers throw. */
    final List<String> failing = new ArrayList<>();
    /** The texts for which decisions throw. */
    final List<String> rejected = new ArrayList<>();

    private int roundsAppended;

    GroupCommitter newCommitter() {
        return new GroupCommitter(
                CommitterSettings.of("test"),
                store.commitStore(),
                store.eventLog(),
                new AggregateStates(store.eventLog(), codec),
                store.viewStore(),
                codec,
                clock);
    }

    ProcessorStores stores() {
        return stores(committer);
    }

    ProcessorStores stores(GroupCommitter ofReplica) {
        return new ProcessorStores(
                store.tokenStore(), store.deadLetterStore(), store.actionStore(), store.unitTransactions(), ofReplica);
    }

    /** Returns a builder for the processor of one replica. */
    EventProcessorBuilder builder(String name) {
        return builder(name, UUID.randomUUID().toString(), stores());
    }

    EventProcessorBuilder builder(String name, String replica, ProcessorStores stores) {
        return new EventProcessorBuilder("test", name, replica, stores, codec, clock)
                .settings(ProcessorSettings.DEFAULT.segments(1))
                .reads("input", LogStreamSource.of(store.eventLog(), store.consumerGroups(), "test/" + name));
    }

    EventProcessor processor(String name, Component... components) {
        return processor(name, builder -> builder, components);
    }

    EventProcessor processor(String name, UnaryOperator<EventProcessorBuilder> more, Component... components) {
        EventProcessorBuilder builder = more.apply(builder(name));
        List.of(components).forEach(builder::calls);
        return builder.build();
    }

    /** Returns a processor with this many segments. */
    EventProcessor segmented(int segments, Component... components) {
        return processor("copier", inSegments(segments), components);
    }

    static UnaryOperator<EventProcessorBuilder> inSegments(int segments) {
        return builder -> builder.settings(ProcessorSettings.DEFAULT.segments(segments));
    }

    Component copying() {
        return Component.named("copies").on(TextAdded.class, this::copy).build();
    }

    void copy(TextAdded event, EventContext context) {
        if (failing.contains(event.text())) {
            throw new IllegalStateException("cannot copy " + event.text());
        }
        handled.add(event.text());
        context.decide(decision -> {
            if (rejected.contains(event.text())) {
                throw new IllegalStateException("rejected " + event.text());
            }
            decision.append(OUTPUT, context.event().key(), event);
        });
    }

    /** Waits as a slow handler does. Handlers are never interrupted. */
    static void waitInHandler(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new PermanentException("interrupted", e);
        }
    }

    void appendInput(String key, String... texts) {
        var submitted = committer.submit(
                CommitUnit.of(Part.of(new PartId(UUID.randomUUID(), "test"), Metadata.none(), context -> List.of(texts)
                        .forEach(text -> context.append(INPUT, key, new TextAdded(text))))));
        committer.commitWaiting();
        submitted.join();
    }

    /** Appends the next text to each of this many keys: {@code key-7:1}, {@code key-7:2} and so on. */
    void appendToKeys(int keys) {
        roundsAppended++;
        for (int i = 0; i < keys; i++) {
            appendInput("key-" + i, "key-" + i + ":" + roundsAppended);
        }
    }

    /** Asserts that everything from {@link #appendToKeys} was copied once and in order. */
    void assertCopiedOnceAndInOrder(int keys) {
        for (int i = 0; i < keys; i++) {
            String key = "key-" + i;
            assertThat(output(key))
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, roundsAppended)
                            .mapToObj(number -> key + ":" + number)
                            .toList());
        }
    }

    /** Runs the replicas until nothing is left to do now. */
    void run(EventProcessor... replicas) {
        rounds(12, replicas);
    }

    private void rounds(int count, EventProcessor... replicas) {
        for (int i = 0; i < count; i++) {
            for (EventProcessor replica : replicas) {
                replica.step();
                committer.commitWaiting();
            }
        }
    }

    /** Runs the replicas while time passes, second by second, and then until nothing is left to do. */
    void runFor(Duration time, EventProcessor... replicas) {
        for (long second = 0; second < time.toSeconds(); second++) {
            clock.advance(Duration.ofSeconds(1));
            rounds(3, replicas);
        }
        run(replicas);
    }

    List<String> output() {
        return textsOf("output");
    }

    List<String> textsOf(String stream) {
        return store.eventLog().readStream(stream, 0, 10_000).stream()
                .map(event -> codec.decode(event.payload(), TextAdded.class).text())
                .toList();
    }

    List<String> output(String key) {
        return store.eventLog().readKey("output", key, 0, 10_000).stream()
                .map(event -> codec.decode(event.payload(), TextAdded.class).text())
                .toList();
    }

    List<ParkedSequence> parked() {
        return parked("copier");
    }

    List<ParkedSequence> parked(String processor) {
        return store.deadLetterStore()
                .findSequences(processor, 0, 0, EnumSet.allOf(SequenceState.class), Integer.MAX_VALUE);
    }

    List<DeadLetter> letters(String key) {
        return store.deadLetterStore().findLetters(sequence(key), 0, 10_000);
    }

    List<String> parkedTexts(String key) {
        return letters(key).stream()
                .map(DeadLetter::message)
                .map(EventMessage::payload)
                .map(payload -> codec.decode(payload, TextAdded.class).text())
                .toList();
    }

    /** Returns the segments that a replica owns. */
    static List<Integer> claimed(EventProcessor replica) {
        return replica.status().segments().stream()
                .filter(SegmentStatus::claimed)
                .map(SegmentStatus::number)
                .toList();
    }

    /** Returns the segment of a key's events, among this many. */
    static int segmentOf(String key, int segments) {
        int hash = Segments.hash("input/" + key);
        return Segments.of(segments).entrySet().stream()
                .filter(segment -> Segments.covers(hash, segment.getKey(), segment.getValue()))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** Returns the first key whose events belong to a segment, among this many. */
    static String keyOf(int segment, int segments) {
        return IntStream.range(0, 1_000)
                .mapToObj(number -> "k" + number)
                .filter(key -> segmentOf(key, segments) == segment)
                .findFirst()
                .orElseThrow();
    }

    static SequenceId sequence(String key) {
        return new SequenceId("test/copier/copies", "input/" + key);
    }

    static long position(EventProcessor processor) {
        return Objects.requireNonNull(processor.status().positions().get("input"))
                .position();
    }

    static AggregateType<Text> texts(String stream) {
        return AggregateType.of(stream, Text.class, new Text(""))
                .on(TextAdded.class, (text, event) -> new Text(event.text()))
                .build();
    }

    private final class Failing implements CommitPoint.Observer {

        @Override
        public void before(CommitPoint point) {
            throwIf(failingBefore.get(point));
        }

        @Override
        public void after(CommitPoint point) {
            writes.merge(point, 1, Integer::sum);
            throwIf(failingAfter.get(point));
        }

        private static void throwIf(@Nullable RuntimeException failure) {
            if (failure != null) {
                throw failure;
            }
        }
    }

    record TextAdded(String text) {}

    record Text(String last) {}
}
