package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The engine parks a failed event together with the position and the rest of the batch. */
public abstract class DeadLetterParkingKit extends DeadLetterEngineKit {

    private static final Duration BEYOND_THE_LEASE = Duration.ofMinutes(1);

    @Nested
    @Lines(5)
    class Committing {

        @Test
        void parksFailedEventWithRestOfBatch() {
            CopyingReplica copier = copier();
            failing.add("a2");
            appendInput("a", "a1", "a2", "a3");
            appendInput("b", "b1");

            run(copier);

            assertThat(output()).containsExactlyInAnyOrder("a1", "b1");
            assertThat(parkedTexts("a")).containsExactly("a2", "a3");
            assertThat(letters("a"))
                    .extracting(letter -> letter.cause() == null)
                    .containsExactly(false, true);
            assertThat(attempted).containsExactlyInAnyOrder("a1", "a2", "b1");
        }

        @Test
        void parksOnceWhereverProcessCrashes() {
            require(Capability.CRASH_POINTS);
            for (Moment moment : Moment.of(CommitPoint.WRITE_LETTERS, CommitPoint.WRITE_TOKENS, CommitPoint.COMMIT)) {
                String key = moment.toString().replace(' ', '-');
                broken.add(key + "1");
                appendInput(key, key + "1", key + "2");
                CopyingReplica dying = copier();
                harness().crashPoints().crashAt(moment);
                assertThatExceptionOfType(SimulatedCrash.class).isThrownBy(() -> run(dying));

                harness().passTime(BEYOND_THE_LEASE);
                appendInput(key, key + "3");
                CopyingReplica next = copier();
                run(next);

                assertThat(parkedTexts(key)).as(key).containsExactly(key + "1", key + "2", key + "3");
                assertThat(firstLetter(key).attempts()).as(key).hasSize(1);
                next.processor().release();
            }
            assertThat(output()).isEmpty();
        }

        @Test
        void discardsEffectsOfFailedHandler() {
            View<Noted> board = new View<>("board", Noted.class);
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, (event, context) -> {
                        context.update(board, context.event().key(), row -> event);
                        copy(event, context);
                    })
                    .build()));
            broken.add("a1");
            appendInput("a", "a1");
            appendInput("b", "b1");

            run(copier);

            ViewRows rows = new ViewRows(store().viewStore(), codec);
            assertThat(rows.find(board, "a")).isEmpty();
            assertThat(rows.find(board, "b")).contains(new Noted("b1"));
            assertThat(output()).containsExactly("b1");
        }

        @Test
        void discardsApplicationRowsOfFailedHandler() {
            ApplicationRows rows = harness().applicationRows();
            CopyingReplica copier =
                    newReplica(builder -> builder.calls(RowWritingComponent.component(rows, this::write)));
            broken.add("b1");
            appendInput("a", "a1");
            appendInput("b", "b1");
            appendInput("c", "c1");

            run(copier);

            assertThat(rows.read()).containsExactlyInAnyOrder("a1", "c1");
            assertThat(output()).containsExactlyInAnyOrder("a1", "c1");
            assertThat(parkedTexts("b")).containsExactly("b1");
        }

        private void write(Noted event, RowWritingComponent.RowWriter rows) {
            rows.write(event.text());
            copy(event, rows.context());
        }

        @Test
        void parksEventWhoseDecisionFails() {
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(
                            Noted.class,
                            (event, context) -> context.decide(decision -> {
                                if (event.text().equals("a1")) {
                                    throw new Broken("a1");
                                }
                                decision.append(OUTPUT, context.event().key(), event);
                            }))
                    .build()));
            appendInput("a", "a1", "a2");
            appendInput("b", "b1");

            run(copier);

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(firstLetter("a").cause()).isNotNull();
            assertThat(output()).containsExactly("b1");
        }
    }

    @Nested
    @Lines(6)
    class Decoding {

        private static final AggregateType<Noted> MEASURES = AggregateType.of("input", Noted.class, new Noted(""))
                .on(Measured.class, (state, event) -> state)
                .build();

        private <E> CopyingReplica reading(Class<E> as) {
            return newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(
                            as,
                            (event, context) -> context.decide(
                                    append(OUTPUT, context.event().key(), event.toString())))
                    .build()));
        }

        private void measure(String amount) {
            EngineUnderTest writer = new EngineUnderTest(store(), harness().clock());
            var unused = writer.run(context -> context.append(MEASURES, "a", new Measured(amount)));
        }

        @Test
        void parksUndecodableEventUnchanged() {
            measure("much");
            measure("7");

            run(reading(Amount.class));

            List<EventMessage> appended = store().eventLog().readStream("input", 0, ALL);
            assertThat(letters("a")).extracting(DeadLetter::message).containsExactlyElementsOf(appended);
            assertThat(firstLetter("a").cause()).isNotNull();
        }

        @Test
        void replaysOnceAnotherVersionCanDecode() {
            measure("much");
            CopyingReplica old = reading(Amount.class);
            run(old);
            old.processor().release();

            CopyingReplica fixed = reading(Measured.class);
            run(fixed);
            var drained = fixed.letters().processAny();
            runUntil(drained, fixed);

            assertThat(drained).isCompletedWithValue(true);
            assertThat(output()).hasSize(1);
        }
    }

    @Nested
    @Lines(7)
    class ParkingFailures {

        @Test
        void retriesBatchWhenCommitFails() {
            FailingStore failing = new FailingStore(store().commitStore());
            CopyingReplica copier =
                    new CopyingReplica(store(), failing, harness().clock(), builder -> builder.calls(copying()));
            run(copier);
            broken.add("a1");
            appendInput("a", "a1", "a2");
            appendInput("b", "b1");
            failing.failCommits(50);

            rounds(2, copier);
            assertThat(parked()).isEmpty();
            assertThat(output()).as("the batch commits as a whole").isEmpty();
            failing.failCommits(0);
            runFor(Duration.ofSeconds(10), copier);

            assertParkedOnce();
        }

        private void assertParkedOnce() {
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(output()).containsExactly("b1");
        }

        @Test
        void retriesBatchWhenLettersCannotBeWritten() {
            require(Capability.CRASH_POINTS);
            CopyingReplica copier = copier();
            run(copier);
            broken.add("a1");
            appendInput("a", "a1", "a2");
            appendInput("b", "b1");
            harness().crashPoints().runAt(new Moment(CommitPoint.WRITE_LETTERS, false), () -> {
                throw new RetryableException("the letter table is locked");
            });

            runFor(Duration.ofSeconds(5), copier);

            assertThat(harness().crashPoints().isArmed()).isFalse();
            assertParkedOnce();
        }
    }

    @Nested
    @Lines(8)
    class FailingSequencingPolicy {

        private final SequencingPolicy fragile = new SequencingPolicy("fragile/1", event -> {
            String text = codec.decode(event.payload(), Noted.class).text();
            if (text.startsWith("odd")) {
                throw new IllegalStateException("no sequence for " + text);
            }
            return INPUT.stream() + "/" + event.key();
        });

        private CopyingReplica replicaWithTwoComponents() {
            return newReplica(builder -> segments(4)
                    .apply(builder.sequencedBy(fragile)
                            .calls(copying())
                            .calls(Component.named("others")
                                    .on(Noted.class, (event, context) -> {})
                                    .build())));
        }

        @Test
        void parksUnderEventIdInEveryQueue() {
            CopyingReplica copier = replicaWithTwoComponents();
            appendInput("a", "odd1", "a2", "odd3");

            run(copier);

            List<EventMessage> appended = store().eventLog().readStream("input", 0, ALL);
            assertThat(parked())
                    .extracting(sequence -> sequence.id().toString())
                    .containsExactlyInAnyOrderElementsOf(List.of(appended.get(0), appended.get(2)).stream()
                            .flatMap(event -> List.of(COPIES, "others").stream()
                                    .map(component ->
                                            ownSequence(component, event).toString()))
                            .toList());
            assertThat(parked()).extracting(ParkedSequence::size).containsOnly(1);
            assertThat(output())
                    .as("an event without a sequence blocks no other")
                    .containsExactly("a2");
        }

        private SequenceId ownSequence(String component, EventMessage event) {
            return new SequenceId(id(component), "event/" + event.id());
        }

        @Test
        void retriesUnderEventId() {
            CopyingReplica copier = replicaWithTwoComponents();
            appendInput("a", "odd1");
            run(copier);
            assertThat(attempted).isEmpty();

            runFor(Duration.ofSeconds(2), copier);

            assertThat(output()).containsExactly("odd1");
            assertThat(parked()).isEmpty();
        }
    }

    /** The type that the event is written as. */
    @EventType("kit.measured")
    record Measured(String amount) {}

    /** The type that the event is read as. */
    @EventType("kit.measured")
    record Amount(int amount) {}
}
