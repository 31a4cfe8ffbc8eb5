package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.Metadata;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The sequencing policy determines which events wait for which. */
class SequencingPolicyTests extends ProcessorScenario {

    private static final AggregateType<Text> ITEMS = AggregateType.of("input", Text.class, new Text(""))
            .on(ItemAdded.class, (text, event) -> text)
            .build();

    private final Component items = Component.named("items")
            .on(ItemAdded.class, (event, context) -> {
                if (failing.contains(event.text())) {
                    throw new IllegalStateException("cannot handle " + event.text());
                }
                handled.add(event.text());
            })
            .build();

    @Test
    void ordersEventsOfDifferentAggregatesByPayloadProperty() {
        append("a", new ItemAdded("o1", "first"));
        append("b", new ItemAdded("o1", "second"));
        append("a", new ItemAdded("o2", "other"));
        failing.add("first");
        EventProcessor processor = sequencedBy(SequencingPolicy.payloadProperty("order"), items);

        run(processor);
        assertThat(handled).containsExactly("other");
        assertParkedInOrder("order/o1", 2);
        failing.clear();
        runFor(Duration.ofSeconds(5), processor);

        assertThat(handled).containsExactly("other", "first", "second");
        assertThat(parked()).isEmpty();
    }

    @Test
    void ordersEventsWithoutPayloadPropertyByAggregate() {
        append("a", new ItemAdded(null, "a1"));
        append("a", new ItemAdded(null, "a2"));
        append("b", new ItemAdded(null, "b1"));
        failing.add("a1");

        run(sequencedBy(SequencingPolicy.payloadProperty("order"), items));

        assertThat(handled).containsExactly("b1");
        assertParkedInOrder("input/a", 2);
    }

    @Test
    void usesPayloadPropertyOnlyIfItIsAValue() {
        append("number", new ItemAdded(7, "x"));
        append("boolean", new ItemAdded(true, "x"));
        append("empty", new ItemAdded("", "x"));
        append("object", new ItemAdded(Map.of("id", "o1"), "x"));
        append("array", new ItemAdded(List.of("o1"), "x"));
        failing.add("x");

        run(sequencedBy(SequencingPolicy.payloadProperty("order"), items));

        assertThat(parkedSequences())
                .containsExactlyInAnyOrder("order/7", "order/true", "input/empty", "input/object", "input/array");
    }

    @Test
    void letsNoEventWaitForAnotherUnderFullConcurrency() {
        appendInput("a", "a1", "a2", "a3");
        failing.add("a2");
        EventProcessor processor = sequencedBy(SequencingPolicy.fullConcurrency(), copying());

        run(processor);
        assertThat(output("a")).containsExactly("a1", "a3");
        UUID failed = store.eventLog().readKey("input", "a", 0, 10).get(1).id();
        assertThat(parkedSequences()).containsExactly(failed.toString());
        failing.clear();
        runFor(Duration.ofSeconds(5), processor);

        assertThat(output("a")).containsExactly("a1", "a3", "a2");
        assertThat(parked()).isEmpty();
    }

    @Test
    void handlesEventsOfOneAggregateConcurrentlyUnderFullConcurrency() {
        appendInput("a", "a1", "a2", "a3");
        Component waiting = Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    handled.add(event.text());
                    return new CompletableFuture<>();
                })
                .build();

        run(sequencedBy(SequencingPolicy.fullConcurrency(), waiting));

        assertThat(handled).as("none of them completes").containsExactly("a1", "a2", "a3");
    }

    @Test
    void ordersEventsOfDifferentAggregatesBySaga() {
        append("a", Metadata.none().withSaga("checkout", "s1"), new ItemAdded(null, "first"));
        append("b", Metadata.none().withSaga("checkout", "s1"), new ItemAdded(null, "second"));
        append("a", new ItemAdded(null, "without saga"));
        failing.add("first");

        run(sequencedBy(SequencingPolicy.sagaId(), items));

        assertThat(handled).containsExactly("without saga");
        assertParkedInOrder("saga/s1", 2);
    }

    @Test
    void ordersEventsOfDifferentAggregatesByMetadataEntry() {
        append("a", Metadata.none().with("tenant", "blue"), new ItemAdded(null, "first"));
        append("b", Metadata.none().with("tenant", "blue"), new ItemAdded(null, "second"));
        append("a", new ItemAdded(null, "without tenant"));
        failing.add("first");

        run(sequencedBy(SequencingPolicy.metadata("tenant"), items));

        assertThat(handled).containsExactly("without tenant");
        assertParkedInOrder("tenant/blue", 2);
    }

    private EventProcessor sequencedBy(SequencingPolicy policy, Component component) {
        return processor("copier", builder -> builder.sequencedBy(policy), component);
    }

    private void append(String key, ItemAdded event) {
        append(key, Metadata.none(), event);
    }

    private void append(String key, Metadata metadata, ItemAdded event) {
        PartId part = new PartId(UUID.randomUUID(), "test");
        var submitted =
                committer.submit(CommitUnit.of(Part.of(part, metadata, context -> context.append(ITEMS, key, event))));
        committer.commitWaiting();
        submitted.join();
    }

    private List<String> parkedSequences() {
        return parked().stream().map(parked -> parked.id().sequence()).toList();
    }

    /** Asserts that only this sequence is parked, and that only its first event was attempted. */
    private void assertParkedInOrder(String sequence, int size) {
        assertThat(parked())
                .extracting(ParkedSequence::id)
                .containsExactly(new SequenceId("test/copier/items", sequence));
        List<DeadLetter> letters =
                store.deadLetterStore().findLetters(parked().get(0).id(), 0, 10);
        assertThat(letters).hasSize(size);
        assertThat(letters.get(0).cause()).isNotNull();
        assertThat(letters.subList(1, size))
                .allSatisfy(letter -> assertThat(letter.cause()).isNull());
    }

    record ItemAdded(@Nullable Object order, String text) {}
}
