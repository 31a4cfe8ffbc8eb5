package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A full queue blocks its segment, and nothing is lost. */
class OverflowTests extends ProcessorScenario {

    private final Set<String> broken = new HashSet<>();

    private EventProcessor limited(UnaryOperator<QueueConfiguration> limits) {
        Component fragile = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    if (broken.contains(event.text())) {
                        throw new Broken(event.text());
                    }
                    copy(event, context);
                })
                .build();
        return processor("copier", builder -> builder.deadLetters(limits.apply(new QueueConfiguration())), fragile);
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    @Test
    void blocksSegmentUntilThereIsRoom() {
        EventProcessor processor = limited(queue -> queue.maxSequences(1));
        broken.addAll(Set.of("a1", "b1"));
        appendInput("a", "a1");
        appendInput("b", "b1", "b2");
        appendInput("c", "c1");
        run(processor);
        appendInput("d", "d1");
        runFor(Duration.ofMinutes(2), processor);

        assertThat(parked()).extracting(sequence -> sequence.id().sequence()).hasSize(1);
        assertThat(output()).as("events read before are handled").containsExactly("c1");
        assertThat(processor.status().problems())
                .singleElement()
                .asString()
                .contains("it allows at most 1 PENDING sequences (max-sequences)");

        broken.remove("a1");
        var drained = processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofMinutes(2), processor);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(processor.status().problems()).isEmpty();
        assertThat(output()).containsExactlyInAnyOrder("c1", "a1", "d1");
        assertThat(parkedTexts("b")).containsExactly("b1", "b2");
    }

    @Test
    void blocksSegmentIfSequenceIsTooLong() {
        EventProcessor processor = limited(queue -> queue.maxSequenceSize(2));
        broken.add("a1");
        appendInput("a", "a1", "a2", "a3", "a4");
        appendInput("b", "b1");
        runFor(Duration.ofMinutes(1), processor);

        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        assertThat(output()).containsExactly("b1");
        assertThat(processor.status().problems())
                .singleElement()
                .asString()
                .contains("it allows at most 2 letters in sequence", "(max-sequence-size)");

        broken.remove("a1");
        var drained = processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofMinutes(1), processor);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(output("a")).containsExactly("a1", "a2", "a3", "a4");
    }

    @Test
    void disabledQueueBlocksSegmentInsteadOfParking() {
        EventProcessor processor = limited(QueueConfiguration::disabled);
        broken.add("a1");
        appendInput("a", "a1", "a2");
        run(processor);
        appendInput("b", "b1");
        runFor(Duration.ofMinutes(2), processor);

        assertThat(output()).isEmpty();
        assertThat(processor.status().problems()).singleElement().asString().contains("it is disabled");

        broken.clear();
        runFor(Duration.ofMinutes(1), processor);

        assertThat(output()).containsExactly("a1", "a2", "b1");
        assertThat(parked()).isEmpty();
    }

    @Test
    void keepsRetryingIfThereIsNoRoomToBecomePending() {
        EventProcessor processor = limited(QueueConfiguration::disabled);
        failing.add("a1");
        appendInput("a", "a1", "a2");
        runFor(Duration.ofSeconds(10), processor);
        appendInput("b", "b1");
        runFor(Duration.ofSeconds(20), processor);

        assertThat(parked()).singleElement().satisfies(sequence -> assertThat(sequence.state())
                .isEqualTo(SequenceState.RETRYING));
        assertThat(output()).as("blocked").isEmpty();

        failing.clear();
        runFor(Duration.ofMinutes(1), processor);

        assertThat(output()).containsExactly("a1", "a2", "b1");
    }

    @Test
    void releasesSegmentWhoseQueueIsFull() {
        EventProcessor processor = limited(QueueConfiguration::disabled);
        broken.add("a1");
        appendInput("a", "a1");
        runFor(Duration.ofSeconds(10), processor);

        var released = processor.release(0);
        runFor(Duration.ofSeconds(2), processor);

        assertThat(released).isCompleted();
        assertThat(letters("a")).extracting(DeadLetter::number).isEmpty();
    }
}
