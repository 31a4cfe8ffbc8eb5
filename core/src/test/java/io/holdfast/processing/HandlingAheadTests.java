package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.token.Segment;
import io.holdfast.wire.LogStreamSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** While one batch is being committed, the next one is handled. */
class HandlingAheadTests {

    private static final AggregateType<Said> INPUT = texts("input");
    private static final AggregateType<Said> OUTPUT = texts("output");

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
    private final List<String> refused = new ArrayList<>();
    private final EventProcessor processor = processor("one");

    private EventProcessor processor(String owner) {
        return new EventProcessorBuilder("test", "copier", owner, store.tokenStore(), committer, codec, clock)
                .reads("input", new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/copier"))
                .calls(Component.named("copies").on(Said.class, this::copy).build())
                .batch(2)
                .build();
    }

    private void copy(Said event, EventContext context) {
        if (failing.contains(event.text())) {
            throw new IllegalStateException("cannot copy " + event.text());
        }
        handled.add(event.text());
        context.decide(decision -> {
            if (refused.contains(event.text())) {
                throw new IllegalStateException("refused");
            }
            decision.append(OUTPUT, "all", event);
        });
    }

    /** Hands the first batch to the committer, which does not answer yet, and goes on with the second. */
    private void handleAhead() {
        for (String text : List.of("1", "2", "3", "4", "5")) {
            var answer = committer.submit(CommitUnit.of(Part.of(
                    new PartId(UUID.randomUUID(), "test"),
                    Metadata.none(),
                    context -> context.append(INPUT, "a", new Said(text)))));
            committer.commitWaiting();
            answer.join();
        }
        processor.step();
        processor.step();
        processor.step();
    }

    private void run(EventProcessor running) {
        for (int i = 0; i < 12; i++) {
            running.step();
            committer.commitWaiting();
        }
    }

    private List<String> output() {
        return store.eventLog().readStream("output", 0, 100).stream()
                .map(event -> codec.decode(event.payload(), Said.class).text())
                .toList();
    }

    private static AggregateType<Said> texts(String stream) {
        return AggregateType.of(stream, Said.class, new Said(""))
                .on(Said.class, (last, event) -> event)
                .build();
    }

    @Test
    void handlesOneBatchAheadAndNoMore() {
        handleAhead();

        assertThat(handled).containsExactly("1", "2", "3", "4");
        assertThat(output()).isEmpty();

        run(processor);

        assertThat(handled).containsExactly("1", "2", "3", "4", "5");
        assertThat(output()).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void isHeldByAnEventThatFailsAheadAfterWhatCameBeforeIt() {
        failing.add("4");
        handleAhead();
        run(processor);
        clock.advance(Duration.ofSeconds(1));
        run(processor);

        assertThat(output()).containsExactly("1", "2", "3");
        assertThat(processor.status().heldBy()).isPresent();

        failing.clear();
        clock.advance(Duration.ofSeconds(10));
        run(processor);

        assertThat(output()).containsExactly("1", "2", "3", "4", "5");
        assertThat(handled).as("no handler runs twice").containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void keepsWhatIsAheadWhenADecisionOfTheBatchFails() {
        refused.add("2");
        handleAhead();
        run(processor);
        assertThat(output()).containsExactly("1");

        refused.clear();
        clock.advance(Duration.ofSeconds(1));
        run(processor);

        assertThat(output()).containsExactly("1", "2", "3", "4", "5");
        assertThat(handled).filteredOn(text -> !text.equals("2")).containsExactly("1", "3", "4", "5");
    }

    @Test
    void dropsWhatIsAheadWhenAnotherReplicaHasTakenTheSegment() {
        handleAhead();
        clock.advance(Duration.ofSeconds(11));
        assertThat(store.tokenStore().claim(new Segment("copier", 0), "two", Duration.ofSeconds(10)))
                .isPresent();
        committer.commitWaiting();
        processor.step();
        assertThat(output()).as("its unit is refused").isEmpty();

        run(processor("two"));
        clock.advance(Duration.ofSeconds(1));
        run(processor);

        assertThat(output()).containsExactly("1", "2", "3", "4", "5");
    }

    record Said(String text) {}
}
