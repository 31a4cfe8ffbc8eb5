package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An event that cannot be handled is parked, later events of its sequence behind it, and everything else continues. */
class ParkingTests extends ProcessorScenario {

    @Test
    void parksFailedEventAndItsSuccessorsAndContinuesWithTheRest() {
        appendInput("a", "a1", "a2", "a3");
        appendInput("b", "b1");
        failing.add("a2");

        run(processor("copier", copying()));

        assertThat(output("a")).containsExactly("a1");
        assertThat(output("b")).containsExactly("b1");
        assertThat(parkedTexts("a")).containsExactly("a2", "a3");
        assertThat(letters("a")).extracting(letter -> letter.cause() == null).containsExactly(false, true);
        assertThat(handled).as("successors are not handled").containsExactly("a1", "b1");
    }

    @Test
    void retriesAfterBackoffAndContinuesInOrder() {
        appendInput("a", "a1", "a2", "a3");
        failing.add("a2");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        clock.advance(Duration.ofMillis(399));
        run(processor);
        assertThat(output("a")).as("too early").containsExactly("a1");
        failing.clear();

        clock.advance(Duration.ofMillis(202));
        run(processor);

        assertThat(output("a")).containsExactly("a1", "a2", "a3");
        assertThat(parked()).isEmpty();
    }

    @Test
    void becomesPendingWhenAttemptsAreExhausted() {
        appendInput("a", "a1", "a2");
        failing.add("a1");
        EventProcessor processor = processor("copier", copying());

        runFor(Duration.ofSeconds(10), processor);

        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(sequence.attempts()).isEqualTo(3);
            assertThat(sequence.size()).isEqualTo(2);
            assertThat(sequence.nextAttempt()).isBeforeOrEqualTo(clock.instant());
        });
        assertThat(letters("a").get(0).attempts()).hasSize(3);
        assertThat(processor.status().parked()).containsEntry(SequenceState.PENDING, 1);
    }

    @Test
    void becomesPendingImmediatelyIfNotRetryable() {
        appendInput("a", "a1");
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            handled.add(event.text());
                            throw new PermanentException("declined");
                        })
                        .build());

        runFor(Duration.ofSeconds(10), processor);

        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        assertThat(handled).containsExactly("a1");
    }

    @Test
    void parksOneOfAHundredWhoseDecisionThrowsWithoutRunningHandlersTwice() {
        for (int i = 0; i < 98; i++) {
            appendInput("key-" + i, "text-" + i);
        }
        appendInput("key-50", "later-1", "later-2");
        rejected.add("text-50");

        run(processor("copier", copying()));

        assertThat(output()).hasSize(97).doesNotContain("text-50", "later-1", "later-2");
        assertThat(parkedTexts("key-50")).containsExactly("text-50", "later-1", "later-2");
        assertThat(handled).hasSize(100).doesNotHaveDuplicates();
        assertThat(committer.statistics().commits())
                .as("98 commands; the returned unit cost no commit")
                .isLessThan(105);
    }

    @Test
    void losesNoAttemptInARestart() {
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor first = processor("copier", copying());
        run(first);
        first.release();

        EventProcessor second = processor("copier", copying());
        run(second);
        assertThat(letters("a").get(0).attempts()).as("not retried too early").hasSize(1);
        runFor(Duration.ofSeconds(1), second);
        assertThat(letters("a").get(0).attempts()).hasSize(2);
        second.release();
        EventProcessor third = processor("copier", copying());
        runFor(Duration.ofSeconds(2), third);

        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        assertThat(letters("a").get(0).attempts()).hasSize(3);
    }

    @Test
    void parksOnlyInTheFailingComponent() {
        appendInput("a", "a1", "a2");
        failing.add("a1");
        List<String> seen = new ArrayList<>();
        Component other = Component.named("other")
                .on(TextAdded.class, (event, context) -> seen.add(event.text()))
                .build();

        run(processor("copier", copying(), other));

        assertThat(seen).containsExactly("a1", "a2");
        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
    }

    @Test
    void replaysLongSequenceInChunks() {
        appendInput("a", IntStream.range(0, 450).mapToObj(Integer::toString).toArray(String[]::new));
        failing.add("0");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        assertThat(parked()).extracting(ParkedSequence::size).containsExactly(450);
        long before = committer.statistics().commits();
        failing.clear();

        runFor(Duration.ofSeconds(2), processor);

        assertThat(output("a"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 450).mapToObj(Integer::toString).toList());
        assertThat(parked()).isEmpty();
        assertThat(committer.statistics().commits() - before).isLessThan(10);
    }

    @Test
    void passesLetterToHandlerDuringReplay() {
        appendInput("a", "a1");
        failing.add("a1");
        List<DeadLetter> given = new ArrayList<>();
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            context.deadLetter().ifPresent(given::add);
                            copy(event, context);
                        })
                        .build());

        runFor(Duration.ofSeconds(5), processor);

        assertThat(given).hasSize(2);
        assertThat(given.get(1).attempts()).hasSize(2);
    }

    @Test
    void parksEventAloneInEveryComponentIfSequencingFails() {
        appendInput("a", "a1", "a2");
        SequencingPolicy broken = new SequencingPolicy("broken/1", event -> {
            if (codec.decode(event.payload(), TextAdded.class).text().equals("a1")) {
                throw new IllegalStateException("no sequence");
            }
            return event.key();
        });
        Component other = Component.named("other")
                .on(TextAdded.class, (event, context) -> {})
                .build();

        run(processor("copier", builder -> builder.sequencedBy(broken), copying(), other));

        assertThat(parked())
                .hasSize(2)
                .allSatisfy(sequence -> assertThat(sequence.id().sequence()).startsWith("event/"));
        assertThat(output()).containsExactly("a2");
    }

    @Test
    void parksPayloadThatCannotBeDecoded() {
        appendInput("a", "a1");
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .on(Incompatible.TextAdded.class, (event, context) -> {})
                        .build());

        run(processor);

        assertThat(parkedTexts("a")).containsExactly("a1");
        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
    }

    /** An event class with the name of another one, whose payload it cannot decode. */
    private static final class Incompatible {

        record TextAdded(List<Integer> text) {}
    }
}
