package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.tck.harness.Lines;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A full queue blocks its segment until it has room. A reset clears the letters whose events will be handled again. */
public abstract class DeadLetterResetKit extends DeadLetterEngineKit {

    @Nested
    @Lines(4)
    class Overflowing {

        @Test
        void blocksSegmentUntilSequenceFits() {
            CopyingReplica copier = copier(queue(it -> it.maxSequences(1)));
            park(copier, "a");
            broken.add("b1");
            appendInput("b", "b1", "b2");
            appendInput("x", "x1");
            run(copier);
            appendInput("c", "c1");
            runFor(Duration.ofSeconds(20), copier);

            assertThat(output())
                    .as("events already read are handled, nothing new is read")
                    .containsExactly("x1");
            assertThat(parked()).hasSize(1);
            assertThat(copier.processor().status().problems())
                    .singleElement()
                    .asString()
                    .contains("it allows at most 1 PENDING sequences (max-sequences)");

            broken.remove("a1");
            var drained = copier.letters().processAny();
            runFor(Duration.ofSeconds(40), copier);

            assertThat(drained).isCompletedWithValue(true);
            assertThat(copier.processor().status().problems()).isEmpty();
            assertThat(output()).containsExactlyInAnyOrder("x1", "a1", "a2", "c1");
            assertThat(parkedTexts("b")).containsExactly("b1", "b2");
        }

        @Test
        void blocksSegmentUntilLetterFits() {
            CopyingReplica copier = copier(queue(it -> it.maxSequenceSize(2)));
            park(copier, "a");
            appendInput("a", "a3", "a4");
            appendInput("b", "b1");
            runFor(Duration.ofSeconds(10), copier);
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(copier.processor().status().problems())
                    .singleElement()
                    .asString()
                    .contains("it allows at most 2 letters in sequence input/a (max-sequence-size)");

            broken.clear();
            var drained = copier.letters().processAny();
            runFor(Duration.ofSeconds(40), copier);

            assertThat(drained).isCompletedWithValue(true);
            assertThat(output("a")).containsExactly("a1", "a2", "a3", "a4");
            assertThat(output("b")).containsExactly("b1");
        }

        @Test
        void losesNothingWhenProcessEndsMeanwhile() {
            CopyingReplica copier = copier(queue(QueueConfiguration::disabled));
            broken.add("a1");
            appendInput("a", "a1", "a2");
            appendInput("b", "b1");
            runFor(Duration.ofSeconds(3), copier);
            assertThat(parked()).isEmpty();

            harness().passTime(Duration.ofMinutes(1));
            CopyingReplica next = otherCopier(builder -> builder);
            runFor(Duration.ofSeconds(3), next);

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(output()).containsExactly("b1");
        }
    }

    @Nested
    @Lines(39)
    class Resetting {

        @Test
        void clearsLettersThatWillBeHandledAgain() {
            CopyingReplica copier = copier(segments(2));
            park(copier, "a", "b");
            broken.remove("a1");

            var reset = copier.processor().reset(StartAt.BEGINNING);
            runUntil(reset, copier);
            runFor(Duration.ofSeconds(3), copier);

            assertThat(reset).isCompleted();
            assertThat(output()).containsExactly("a1", "a2");
            assertThat(parkedTexts("b")).containsExactly("b1", "b2");
            assertThat(firstLetter("b").attempts()).as("parked again").hasSize(1);
            assertThat(attempted).containsExactlyInAnyOrder("a1", "a2", "b1");
        }

        @Test
        void keepsLettersThatWillNotBeHandledAgain() {
            CopyingReplica copier = copier(segments(2));
            park(copier, "a");
            var before = letters("a");

            var reset = copier.processor().reset(StartAt.NOW);
            runUntil(reset, copier);
            appendInput("a", "a3");
            runFor(Duration.ofSeconds(3), copier);

            assertThat(reset).isCompleted();
            assertThat(letters("a")).startsWith(before.get(0), before.get(1));
            assertThat(parkedTexts("a")).as("no event overtakes it").containsExactly("a1", "a2", "a3");
            assertThat(attempted).isEmpty();
        }
    }
}
