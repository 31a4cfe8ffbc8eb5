package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.handling.Component;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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

    /** The component appends events and sets rows. After a reset its events exist, and its rows are set again. */
    @Nested
    @Lines(39)
    class ResettingWithExistingEvents {

        private static final View<Noted> LABELS = new View<>("labels", Noted.class);

        private String label = "old";

        @Test
        void updatesRowsAgain() {
            CopyingReplica copier = newReplica(builder -> builder.calls(labelling()));
            appendInput("a", "a1", "a2");
            appendInput("b", "b1");
            run(copier);
            assertThat(labels("a1", "a2", "b1")).containsOnly("old");

            label = "new";
            reset(copier);

            assertThat(labels("a1", "a2", "b1")).containsOnly("new");
            assertThat(output()).containsExactly("a1", "a2", "b1");
            assertThat(parked()).isEmpty();
        }

        @Test
        void updatesRowsOfReplayedLetter() {
            CopyingReplica copier = newReplica(builder -> builder.calls(labelling()));
            appendInput("a", "a1", "a2");
            run(copier);
            label = "new";
            broken.add("a1");
            reset(copier);
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(labels("a1", "a2")).containsOnly("old");

            broken.clear();
            assertThat(processAny(copier)).isTrue();

            assertThat(labels("a1", "a2")).containsOnly("new");
            assertThat(output()).containsExactly("a1", "a2");
            assertThat(parked()).isEmpty();
        }

        @Test
        void getsPastEventsOfComponentWithApplicationRows() {
            CopyingReplica copier = newReplica(builder -> builder.calls(rowWriting()));
            appendInput("a", "a1", "a2");
            run(copier);

            reset(copier);
            appendInput("a", "a3");
            runFor(Duration.ofSeconds(3), copier);

            assertThat(harness().applicationRows().read()).containsExactly("a1", "a2", "a1", "a2", "a3");
            assertThat(output()).containsExactly("a1", "a2", "a3");
            assertThat(copier.processor().status().problems()).isEmpty();
            assertThat(parked()).isEmpty();
        }

        @Test
        void parksEventForWhichComponentWouldAppendOtherEventsNow() {
            CopyingReplica copier = newReplica(builder -> builder.calls(labelling()));
            appendInput("a", "a1");
            run(copier);

            CopyingReplica changed = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, (event, context) -> {
                        context.decide(append(OUTPUT, context.event().key(), event.text()));
                        context.decide(append(OUTPUT, "copies", event.text()));
                    })
                    .resettable()
                    .build()));
            harness().passTime(Duration.ofMinutes(1));
            reset(changed);

            assertThat(parkedTexts("a")).containsExactly("a1");
            assertThat(firstLetter("a").cause()).asString().contains("has appended [Noted to output/a]");
            assertThat(output()).containsExactly("a1");
        }

        @Test
        void keepsDecisionsThatWouldBeRejectedToday() {
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, (event, context) -> {
                        String set = label;
                        context.update(LABELS, event.text(), row -> new Noted(set));
                        context.decide(this::copyFirst);
                    })
                    .resettable()
                    .build()));
            appendInput("a", "a1");
            run(copier);
            assertThat(output()).containsExactly("first");

            label = "new";
            reset(copier);

            assertThat(labels("a1")).containsOnly("new");
            assertThat(output()).containsExactly("first");
            assertThat(parked()).isEmpty();
        }

        private void copyFirst(DecisionContext decision) {
            if (decision.version(OUTPUT, "a") > 0) {
                throw new Broken("there is a first one");
            }
            decision.append(OUTPUT, "a", new Noted("first"));
        }

        private void reset(CopyingReplica copier) {
            var reset = copier.processor().reset(StartAt.BEGINNING);
            runUntil(reset, copier);
            runFor(Duration.ofSeconds(3), copier);
            assertThat(reset).isCompleted();
        }

        private Component labelling() {
            return Component.named(COPIES)
                    .on(Noted.class, (event, context) -> {
                        String set = label;
                        context.update(LABELS, event.text(), row -> new Noted(set));
                        copy(event, context);
                    })
                    .resettable()
                    .build();
        }

        private Component rowWriting() {
            return Component.named(COPIES)
                    .on(Noted.class, (event, context) -> {
                        harness().applicationRows().write(RowWritingComponent.transaction(context), event.text());
                        copy(event, context);
                    })
                    .rowsIn(harness().applicationRows().resource())
                    .resettable()
                    .build();
        }

        private List<String> labels(String... keys) {
            ViewRows rows = new ViewRows(store().viewStore(), codec);
            return Stream.of(keys)
                    .map(key -> rows.find(LABELS, key).orElseThrow().text())
                    .toList();
        }
    }
}
