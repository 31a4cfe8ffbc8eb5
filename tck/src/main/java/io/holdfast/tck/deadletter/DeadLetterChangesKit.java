package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.event.EventMessage;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.TestThreads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes to parked letters outside the unit of the segment's owner. */
public abstract class DeadLetterChangesKit extends DeadLetterKit {

    private static final QueueCounts NONE = QueueCounts.EMPTY;

    private void change(LetterWrites writes) {
        letterStore().change(CONSUMER, parked -> writes);
    }

    private void assertStale(UnitWrites unit) {
        assertThat(writer().rejections(unit)).singleElement().satisfies(rejection -> {
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
            assertThat(rejection.cause()).isInstanceOf(StaleTokenException.class);
        });
    }

    @Nested
    class Writing {

        @Test
        void startsSequence() {
            Parked parked = pending("a", 1, 2);

            change(parked.writes());

            assertParked(parked);
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(new QueueCounts(2, 0, 0, 1, 2, 0, 0));
        }

        @Test
        void appendsReplacesAndRemovesLetters() {
            Parked parked = parked("a", 1, 2, 3);
            commit(parked.writes());
            DeadLetter behind = nextLetter(parked, 4);
            DeadLetter replaced =
                    parked.letters().get(1).failed(new Cause("Bang", null, "", List.of("x")), "me", now());
            ParkedSequence after = parked.sequence().grown().shortened(2, 3, now(), now());

            change(new LetterWrites(
                    List.of(behind),
                    List.of(replaced),
                    List.of(parked.letters().get(0).id()),
                    List.of(after),
                    List.of()));

            assertParked(new Parked(after, List.of(replaced, parked.letters().get(2), behind)));
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(new QueueCounts(3, 1, 0, 0, 0, 0, 0));
        }

        @Test
        void removesSequence() {
            Parked parked = parked("a", 1, 2);
            Parked other = pending("b", 3);
            commit(parkWrites(List.of(parked, other)));

            change(parked.removeWrites());

            assertNotParked(parked.id());
            assertParked(other);
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(new QueueCounts(1, 0, 0, 1, 1, 0, 0));
        }

        @Test
        void readsParkedLetters() {
            Parked parked = parked("a", 1, 2);
            Parked other = parked(OTHER_COMPONENT, "b", 3);
            commit(parkWrites(List.of(parked, other)));

            letterStore().change(CONSUMER, reads -> {
                assertThat(reads.find(parked.id())).contains(parked.sequence());
                assertThat(reads.findSequences(List.of(parked.id(), other.id())))
                        .containsExactlyInAnyOrder(parked.sequence(), other.sequence());
                assertThat(reads.findLetters(parked.id(), 2, 5))
                        .containsExactly(parked.letters().get(1));
                assertThat(reads.findLetter(
                                OTHER_COMPONENT,
                                other.letters().get(0).message().id()))
                        .contains(other.letters().get(0));
                return updateWrites(parked, it -> it.pending(5, now()));
            });

            assertThat(letterStore().find(parked.id()))
                    .contains(parked.sequence().pending(5, now()));
        }

        @Test
        void isVisibleToOtherReplicas() {
            DeadLetterStore otherReplica = replica().deadLetterStore();
            Parked parked = pending("a", 1);

            change(parked.writes());

            assertThat(otherReplica.find(parked.id())).contains(parked.sequence());
            assertThat(otherReplica.findLetters(parked.id(), 0, ALL)).isEqualTo(parked.letters());
        }

        @Test
        void needsNoSegments() {
            Parked parked = fixture().parked("unowned", "kit/unowned/a", "a", "notes", 1);

            letterStore().change("unowned", reads -> parked.writes());

            assertParked(parked);
        }
    }

    @Nested
    class NoChange {

        @Test
        void ignoresEmptyWrites() {
            Parked parked = parked("a", 1);
            commit(parked.writes());
            UnitWrites formedBefore = unit(LetterWrites.NONE);

            change(LetterWrites.NONE);
            change(LetterWrites.NONE.withLimits(Map.of(COMPONENT, QueueLimits.DEFAULT)));

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
            writer().commit(formedBefore);
        }

        @Test
        void rejectsLetterWhenQueueIsFull() {
            Parked one = pending("a", 1);
            commit(one.writes());
            LetterWrites tooMuch = pending("b", 2).writes().withLimits(Map.of(COMPONENT, new QueueLimits(1, 1, 1)));

            assertThatExceptionOfType(DeadLetterQueueOverflowException.class)
                    .isThrownBy(() -> change(tooMuch))
                    .withMessageContaining(COMPONENT)
                    .withMessageContaining("1 PENDING sequences")
                    .withMessageContaining("max-sequences");

            assertUnchanged(one);
        }

        @Test
        void rejectsEventThatIsAlreadyParked() {
            Parked one = parked("a", 1);
            commit(one.writes());
            EventMessage event = one.letters().get(0).message();
            Parked again = fixture().parked(CONSUMER, COMPONENT, "b", List.of(event));

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> change(again.writes()))
                    .withMessageContaining(event.id().toString())
                    .withMessageContaining(COMPONENT);

            assertUnchanged(one);
            assertNotParked(again.id());
        }

        @Test
        void rejectsEventThatIsAddedTwice() {
            Parked one = parked("a", 1);
            commit(one.writes());
            EventMessage event = fixture().event("notes", "b", 2);
            Parked twice = fixture().parked(CONSUMER, COMPONENT, "b", List.of(event, event));

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> change(twice.writes()))
                    .withMessageContaining(event.id().toString())
                    .withMessageContaining(COMPONENT);

            assertUnchanged(one);
            assertNotParked(twice.id());
        }

        @Test
        void rejectsLetterWhoseNumberIsInUse() {
            Parked one = parked("a", 1);
            commit(one.writes());

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> change(parked("a", 2).writes()));

            assertUnchanged(one);
        }

        @Test
        void rollsBackWhenChangeThrows() {
            Parked one = parked("a", 1);
            commit(one.writes());

            assertThatIllegalStateException()
                    .isThrownBy(() -> letterStore().change(CONSUMER, reads -> {
                        throw new IllegalStateException("no");
                    }))
                    .withMessage("no");

            assertUnchanged(one);
        }

        /** Also proves that the head row is released: the next unit commits. */
        private void assertUnchanged(Parked one) {
            assertParked(one);
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(NONE.with(one.sequence()));
            assertThat(version()).isEqualTo(1);
            commit(LetterWrites.NONE);
        }
    }

    @Nested
    class ConcurrentChanges {

        private static final int WORKERS = 4;
        private static final int ROUNDS = 15;

        @Test
        void areAllApplied() {
            Parked parked = pending("a", 1);
            commit(parked.writes());

            TestThreads.race(WORKERS, worker -> {
                for (int round = 0; round < ROUNDS; round++) {
                    EventMessage event = fixture().event("notes", "a", 100L * worker + round + 2);
                    letterStore().change(CONSUMER, reads -> {
                        ParkedSequence grown =
                                reads.find(parked.id()).orElseThrow().grown();
                        DeadLetter behind = DeadLetter.notAttempted(parked.id(), grown.last(), event, now());
                        return new LetterWrites(List.of(behind), List.of(), List.of(), List.of(grown), List.of());
                    });
                }
                return worker;
            });

            int all = WORKERS * ROUNDS + 1;
            assertThat(letterStore().findLetters(parked.id(), 0, ALL))
                    .extracting(DeadLetter::number)
                    .isEqualTo(LongStream.rangeClosed(1, all).boxed().toList());
            assertThat(letterStore().find(parked.id()))
                    .hasValueSatisfying(it -> assertThat(it.size()).isEqualTo(all));
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(new QueueCounts(all, 0, 0, 1, all, 0, 0));
            assertThat(version()).isGreaterThanOrEqualTo(all);
        }

        @Test
        void respectLimits() {
            QueueLimits limits = new QueueLimits(3, 1, 1);

            List<Boolean> accepted = TestThreads.race(WORKERS * 2, worker -> {
                LetterWrites writes = pending("s" + worker, worker + 1).writes().withLimits(Map.of(COMPONENT, limits));
                try {
                    change(writes);
                    return true;
                } catch (DeadLetterQueueOverflowException e) {
                    return false;
                }
            });

            assertThat(accepted).filteredOn(it -> it).hasSize(3);
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(new QueueCounts(3, 0, 0, 3, 3, 0, 0));
        }

        @Test
        void waitForRunningCommitAndSeeItsLetters() {
            Parked parked = parked("a", 1);
            List<ParkedSequence> seen = new CopyOnWriteArrayList<>();
            try (TestThreads threads = new TestThreads()) {
                Future<Boolean> changed;
                try (CommitSession session = store().commitStore().open()) {
                    session.lockHead();
                    assertThat(session.write(List.of(unit(parked.writes())))).isEmpty();
                    changed = threads.run(() -> letterStore().change(CONSUMER, reads -> {
                        reads.find(parked.id()).ifPresent(seen::add);
                        return LetterWrites.NONE;
                    }));
                    assertThat(TestThreads.completesSoon(changed)).isFalse();
                    session.commit();
                }
                assertThat(TestThreads.result(changed)).isTrue();
            }

            assertThat(seen).containsExactly(parked.sequence());
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesNothingBeforeChange() {
            Parked parked = pending("a", 1);
            UnitWrites formedBefore = unit(LetterWrites.NONE);

            Crash.before(CommitPoint.LETTERS_CHANGE, harness(), () -> change(parked.writes()));

            assertNotParked(parked.id());
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(NONE);
            writer().commit(formedBefore);
            change(parked.writes());
            assertParked(parked);
        }

        @Test
        void leavesEverythingAfterChange() {
            Parked parked = pending("a", 1);
            UnitWrites formedBefore = unit(LetterWrites.NONE);

            Crash.after(CommitPoint.LETTERS_CHANGE, harness(), () -> change(parked.writes()));

            assertParked(parked);
            assertThat(letterStore().counts(COMPONENT)).isEqualTo(new QueueCounts(1, 0, 0, 1, 1, 0, 0));
            assertStale(formedBefore);
        }

        @Test
        void reachesNoCrashPointWithoutWrites() {
            require(Capability.CRASH_POINTS);
            harness().crashPoints().crashAt(new CrashPoints.Moment(CommitPoint.LETTERS_CHANGE, false));

            change(LetterWrites.NONE);

            assertThat(harness().crashPoints().isArmed()).isTrue();
        }
    }
}
