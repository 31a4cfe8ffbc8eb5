package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.TestThreads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The queue of a component over an adapter's store: parking, evicting and requeuing by callers other than a processor.
 */
public abstract class DeadLetterQueueKit extends DeadLetterQueueScenario {

    @Nested
    class Enqueuing {

        @Test
        @Lines(1)
        void startsNewSequence() {
            EventMessage event = event("a", 1);

            assertThat(queue().enqueue("a", event, BOOM)).isTrue();

            assertThat(letters("a"))
                    .singleElement()
                    .isEqualTo(new DeadLetter(
                            id("a"), sequence("a").first(), event, BOOM, now(), now(), List.of(), Map.of()));
            assertThat(sequence("a").state()).isEqualTo(SequenceState.PENDING);
        }

        @Test
        @Lines(1)
        void appendsToParkedSequence() {
            queue().enqueue("a", event("a", 1), BOOM);
            EventMessage second = event("a", 2);
            EventMessage third = event("a", 3);

            assertThat(queue().enqueue("a", second, BOOM)).isTrue();
            assertThat(queue().enqueue("a", third, BOOM)).isTrue();

            assertThat(events("a")).endsWith(second, third).hasSize(3);
            assertThat(letters("a")).extracting(DeadLetter::cause).containsExactly(BOOM, null, null);
        }

        @Test
        @Lines(1)
        void appendsToSequenceParkedByProcessor() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());
            EventMessage event = event("a", 3);

            queue().enqueue("a", event, BOOM);

            assertThat(sequence("a")).isEqualTo(parked.sequence().grown());
            assertThat(events("a")).endsWith(event).hasSize(3);
        }

        @Test
        @Lines(3)
        void parksSameEventOnce() {
            EventMessage event = event("a", 1);
            queue().enqueue("a", event, BOOM);

            assertThat(queue().enqueue("a", event, BOOM)).isFalse();
            assertThat(queue().enqueue("b", event, BOOM)).isFalse();

            assertThat(queue().size()).isEqualTo(1);
            assertThat(queue().contains("b")).isFalse();
        }

        @Test
        @Lines(3)
        void parksSameEventOncePerQueue() {
            EventMessage event = event("a", 1);

            assertThat(queue().enqueue("a", event, BOOM)).isTrue();
            assertThat(otherQueue().enqueue("a", event, BOOM)).isTrue();

            assertThat(queue().findLetter(event.id())).isPresent();
            assertThat(otherQueue().size()).isEqualTo(1);
        }

        @Test
        @Lines(3)
        void parksEventOnceForConcurrentCallers() {
            EventMessage event = event("a", 1);

            List<Boolean> parked = TestThreads.race(6, worker -> queue().enqueue("a", event, BOOM));

            assertThat(parked).containsOnlyOnce(true);
            assertThat(events("a")).containsExactly(event);
        }

        @Test
        @Lines({1, 9})
        void distinguishesSimilarIdentifiers() {
            for (String name : ALIKE) {
                assertThat(queue().contains(name)).as(name).isFalse();
                queue().enqueue(name, event("a", 1), BOOM);
            }

            assertThat(queue().amountOfSequences()).isEqualTo(ALIKE.size());
            assertThat(ALIKE)
                    .allSatisfy(name -> assertThat(queue().sequenceSize(name)).isEqualTo(1));
        }
    }

    @Nested
    @Lines(2)
    class EnqueuingIfPresent {

        @Test
        void appendsToParkedSequence() {
            queue().enqueue("a", event("a", 1), BOOM);
            EventMessage event = event("a", 2);

            assertThat(queue().enqueueIfPresent("a", () -> event)).isTrue();

            assertThat(events("a")).hasSize(2).endsWith(event);
            assertThat(letters("a").get(1).cause()).isNull();
        }

        @Test
        void doesNotCreateEventWhenSequenceIsNotParked() {
            queue().enqueue("b", event("b", 1), BOOM);
            otherQueue().enqueue("a", event("a", 1), BOOM);
            AtomicInteger created = new AtomicInteger();

            assertThat(queue().enqueueIfPresent("a", () -> event("a", 2 + created.incrementAndGet())))
                    .isFalse();

            assertThat(created).hasValue(0);
            assertThat(queue().contains("a")).isFalse();
        }

        @Test
        @Lines(3)
        void returnsTrueForParkedEvent() {
            EventMessage event = event("a", 1);
            queue().enqueue("a", event, BOOM);

            assertThat(queue().enqueueIfPresent("a", () -> event)).isTrue();

            assertThat(queue().sequenceSize("a")).isEqualTo(1);
        }

        /** Either the append wins and the sequence is due with the new letter, or the sequence is already gone. */
        @Test
        void leavesNoOrphanedLetterWhenLastLetterIsEvictedConcurrently() {
            for (int round = 0; round < 60; round++) {
                String name = "s" + round;
                queue().enqueue(name, event(name, 1), BOOM);
                DeadLetter last = letters(name).get(0);
                EventMessage event = event(name, 2);

                List<Boolean> results = TestThreads.race(
                        2, worker -> worker == 0 ? queue().evict(last) : queue().enqueueIfPresent(name, () -> event));

                assertThat(results.get(0)).isTrue();
                assertThat(queue().contains(name)).as("round %s", round).isEqualTo(results.get(1));
                if (results.get(1)) {
                    assertThat(events(name)).containsExactly(event);
                    assertThat(sequence(name))
                            .isEqualTo(sequence(name).shortened(sequence(name).last(), 1, now(), now()));
                }
            }
        }

        @Test
        void losesNoEventOfConcurrentCallers() {
            queue().enqueue("a", event("a", 1), BOOM);

            TestThreads.race(4, worker -> {
                for (int i = 0; i < 10; i++) {
                    EventMessage event = event("a", 2 + 10L * worker + i);
                    assertThat(queue().enqueueIfPresent("a", () -> event)).isTrue();
                }
                return worker;
            });

            assertThat(events("a")).doesNotHaveDuplicates().hasSize(41);
            assertThat(queue().size()).isEqualTo(41);
        }
    }

    @Nested
    @Lines(4)
    class FullQueue {

        private final QueueLimits small = new QueueLimits(2, 3, 1);

        private SequencedDeadLetterQueue smallQueue() {
            return queue(COMPONENT, small);
        }

        @Test
        void rejectsAnotherSequence() {
            smallQueue().enqueue("a", event("a", 1), BOOM);
            assertThat(smallQueue().isFull("b")).isFalse();
            smallQueue().enqueue("b", event("b", 1), BOOM);

            assertThat(smallQueue().isFull("c")).isTrue();
            assertThatExceptionOfType(DeadLetterQueueOverflowException.class)
                    .isThrownBy(() -> smallQueue().enqueue("c", event("c", 1), BOOM))
                    .withMessageContaining(COMPONENT)
                    .withMessageContaining("2 PENDING sequences")
                    .withMessageContaining("max-sequences");

            assertThat(smallQueue().contains("c")).isFalse();
            assertThat(smallQueue().size()).isEqualTo(2);
        }

        @Test
        void rejectsAnotherLetterOfSequence() {
            for (int i = 1; i <= 3; i++) {
                assertThat(smallQueue().isFull("a")).isFalse();
                smallQueue().enqueue("a", event("a", i), BOOM);
            }

            assertThat(smallQueue().isFull("a")).isTrue();
            assertThatExceptionOfType(DeadLetterQueueOverflowException.class)
                    .isThrownBy(() -> smallQueue().enqueue("a", event("a", 4), BOOM))
                    .withMessageContaining("3 letters in sequence a")
                    .withMessageContaining("max-sequence-size");
            assertThatExceptionOfType(DeadLetterQueueOverflowException.class)
                    .isThrownBy(() -> smallQueue().enqueueIfPresent("a", () -> event("a", 5)));

            assertThat(smallQueue().sequenceSize("a")).isEqualTo(3);
        }

        @Test
        void acceptsLetterOfParkedSequence() {
            smallQueue().enqueue("a", event("a", 1), BOOM);
            smallQueue().enqueue("b", event("b", 1), BOOM);

            assertThat(smallQueue().isFull("a")).isFalse();
            assertThat(smallQueue().enqueue("a", event("a", 2), BOOM)).isTrue();
        }

        @Test
        void countsOnlyPendingSequences() {
            commit(parked("r", 1).writes());
            smallQueue().enqueue("a", event("a", 1), BOOM);

            assertThat(smallQueue().isFull("b")).isFalse();
            assertThat(smallQueue().enqueue("b", event("b", 1), BOOM)).isTrue();
        }

        @Test
        void acceptsSequenceAfterEviction() {
            smallQueue().enqueue("a", event("a", 1), BOOM);
            smallQueue().enqueue("b", event("b", 1), BOOM);

            smallQueue().evict(letters("a").get(0));

            assertThat(smallQueue().isFull("c")).isFalse();
            assertThat(smallQueue().enqueue("c", event("c", 1), BOOM)).isTrue();
        }

        @Test
        void allowsEvictionAndRequeueAboveLimits() {
            Parked pending = pending("a", 1, 2, 3, 4, 5);
            commit(pending.writes());

            assertThat(smallQueue().requeue(pending.letters().get(0), it -> it.withDiagnostics(Map.of("k", "v"))))
                    .isTrue();
            assertThat(smallQueue().evict(pending.letters().get(4))).isTrue();

            assertThat(smallQueue().sequenceSize("a")).isEqualTo(4);
        }

        @Test
        void ignoresParkedEventWithoutError() {
            EventMessage event = event("a", 1);
            smallQueue().enqueue("a", event, BOOM);
            smallQueue().enqueue("b", event("b", 1), BOOM);

            assertThat(smallQueue().enqueue("c", event, BOOM)).isFalse();
        }
    }

    @Nested
    class Evicting {

        @Test
        void removesSequenceWithItsLastLetter() {
            queue().enqueue("a", event("a", 1), BOOM);

            assertThat(queue().evict(letters("a").get(0))).isTrue();

            assertNotParked(id("a"));
            assertThat(queue().counts()).isEqualTo(QueueCounts.EMPTY);
        }

        @Test
        @Lines(14)
        void makesNextLetterDueWhenFirstIsEvicted() {
            Parked pending = pending("a", 1, 2, 3);
            commit(pending.writes());
            harness().passTime(Duration.ofSeconds(5));

            assertThat(queue().evict(pending.letters().get(0))).isTrue();

            assertParked(withoutFirst(pending));
            assertThat(sequence("a").state()).isEqualTo(SequenceState.RETRYING);
            assertThat(sequence("a").nextAttempt()).isEqualTo(now());
        }

        @Test
        void keepsSequencePendingWhenLaterLetterIsEvicted() {
            Parked pending = pending("a", 1, 2, 3);
            commit(pending.writes());

            assertThat(queue().evict(pending.letters().get(1))).isTrue();

            ParkedSequence before = pending.sequence();
            assertParked(new Parked(
                    before.with(before.first(), before.last(), 2, before.since()),
                    List.of(pending.letters().get(0), pending.letters().get(2))));
        }

        @Test
        void appendsAfterGapAtEnd() {
            Parked pending = pending("a", 1, 2);
            commit(pending.writes());
            queue().evict(pending.letters().get(1));
            EventMessage event = event("a", 3);

            queue().enqueue("a", event, BOOM);

            assertThat(events("a")).containsExactly(pending.letters().get(0).message(), event);
            assertThat(queue().size()).isEqualTo(2);
        }

        @Test
        void returnsFalseForRemovedLetter() {
            queue().enqueue("a", event("a", 1), BOOM);
            DeadLetter letter = letters("a").get(0);
            queue().evict(letter);
            queue().enqueue("a", event("a", 2), BOOM);

            assertThat(queue().evict(letter)).isFalse();
            assertThat(otherQueue().evict(letters("a").get(0))).isFalse();

            assertThat(queue().size()).isEqualTo(1);
        }

        @Test
        @Lines(3)
        void allowsEventToBeParkedAgain() {
            EventMessage event = event("a", 1);
            queue().enqueue("a", event, BOOM);
            queue().evict(letters("a").get(0));

            assertThat(queue().enqueue("a", event, BOOM)).isTrue();

            assertThat(events("a")).containsExactly(event);
        }

        @Test
        void succeedsOnceForConcurrentCallers() {
            queue().enqueue("a", event("a", 1), BOOM);
            queue().enqueue("a", event("a", 2), BOOM);
            DeadLetter letter = letters("a").get(0);

            assertThat(TestThreads.race(4, worker -> queue().evict(letter))).containsOnlyOnce(true);

            assertThat(queue().sequenceSize("a")).isEqualTo(1);
        }
    }

    @Nested
    class Requeuing {

        private final Cause bang = new Cause("Bang", "again", "at kit", List.of("root"));

        @Test
        void replacesCauseAttemptsAndDiagnosticsInPlace() {
            Parked pending = pending("a", 1, 2);
            commit(pending.writes());
            DeadLetter first = pending.letters().get(0);
            harness().passTime(Duration.ofSeconds(5));

            assertThat(queue().requeue(
                                    first, it -> it.failed(bang, "alice", now()).withDiagnostics(Map.of("k", "v"))))
                    .isTrue();

            DeadLetter changed = first.failed(bang, "alice", now()).withDiagnostics(Map.of("k", "v"));
            assertParked(new Parked(
                    pending.sequence().withCauseOf(changed),
                    List.of(changed, pending.letters().get(1))));
            assertThat(letters("a").get(0).lastTouched()).isEqualTo(now());
        }

        @Test
        void changesStoredLetterInsteadOfCopyRead() {
            queue().enqueue("a", event("a", 1), BOOM);
            DeadLetter read = letters("a").get(0);
            queue().requeue(read, it -> it.withDiagnostics(Map.of("first", "1")));

            queue().requeue(read, it -> it.failed(bang, "bob", now()));

            assertThat(letters("a")).singleElement().satisfies(stored -> {
                assertThat(stored.diagnostics()).containsEntry("first", "1");
                assertThat(stored.cause()).isEqualTo(bang);
            });
        }

        @Test
        void keepsEventAndNumberWhateverChangeReturns() {
            queue().enqueue("a", event("a", 1), BOOM);
            DeadLetter before = letters("a").get(0);

            queue().requeue(
                            before,
                            it -> new DeadLetter(
                                    id("b"), 9, event("b", 9), bang, now().plusSeconds(9), now(), List.of(), Map.of()));

            assertThat(letters("a")).containsExactly(before.withCause(bang, now()));
            assertThat(queue().contains("b")).isFalse();
        }

        @Test
        void returnsFalseForRemovedLetter() {
            queue().enqueue("a", event("a", 1), BOOM);
            DeadLetter letter = letters("a").get(0);
            queue().evict(letter);

            assertThat(queue().requeue(letter, it -> it.withCause(bang, now()))).isFalse();

            assertNotParked(id("a"));
        }
    }
}
