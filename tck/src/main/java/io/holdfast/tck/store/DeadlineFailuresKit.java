package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.deposit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.aggregate.Decision;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadline.Deadlines;
import io.holdfast.event.EventType;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.DeadlineReplica;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.RecordingStore;
import io.holdfast.view.RowIndex;
import io.holdfast.view.View;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Deadlines while replicas compete, crash and fail: each one fires once, and none stops the others. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class DeadlineFailuresKit extends DeadlineScenario {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Decision CANCELLING = context -> context.cancel(NAME, "o-1");
    private static final Decision REPLACING = scheduling("o-1", HOUR, "second");

    @Nested
    class Replicas {

        @Test
        void fireOnceTogether() {
            DeadlineReplica other = secondReplica();
            engine().run(scheduling("o-1", Duration.ZERO, "late"));

            replica.submitDue();
            other.submitDue();
            replica.engine().commit();
            other.engine().commit();

            assertThat(fired()).containsExactly("late");
        }

        /** The paused replica has read the due rows, and decides only now. */
        @Test
        void doNothingAfterAPauseInWhichAnotherOneFired() {
            DeadlineReplica other = secondReplica();
            engine().run(scheduling("o-1", Duration.ZERO, "late"));
            replica.submitDue();

            other.fire();
            passTime(HOUR.multipliedBy(2));
            other.fire();
            assertThat(rows()).isEmpty();
            replica.fire();

            assertThat(fired()).containsExactly("late");
            assertThat(rows()).isEmpty();
        }

        /** The paused replica has decided, and commits only now. */
        @Test
        void doNothingIfAnotherOneFiresBeforeTheCommit() {
            RecordingStore recording = new RecordingStore(store().commitStore());
            DeadlineReplica paused =
                    replicaOf(new EngineUnderTest(store(), recording, harness().clock(), 1_000));
            DeadlineReplica other = secondReplica();
            engine().run(scheduling("o-1", Duration.ZERO, "late"));
            recording.before("lockHead", other::fire);

            paused.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void fireWhatOthersHaveScheduled() {
            DeadlineReplica other = secondReplica();
            engine().run(scheduling("o-1", HOUR, "late"));
            passTime(HOUR);

            other.fire();

            assertThat(fired()).containsExactly("late");
        }
    }

    @Nested
    class AtOnce {

        @BeforeEach
        void scheduleDue() {
            engine().run(scheduling("o-1", Duration.ZERO, "first"));
        }

        @Test
        void theFiringWinsIfItCommitsFirst() {
            replica.submitDue();
            engine().submit(CANCELLING);
            engine().commit();

            assertThat(firedInTheEnd()).containsExactly("first");
        }

        @Test
        void theCancellationWinsIfItCommitsFirst() {
            engine().submit(CANCELLING);
            replica.submitDue();
            engine().commit();

            assertThat(firedInTheEnd()).isEmpty();
        }

        @Test
        void theReplacementWinsIfItCommitsFirst() {
            engine().submit(REPLACING);
            replica.submitDue();
            engine().commit();

            assertThat(firedInTheEnd()).containsExactly("second");
        }

        @Test
        void aReplacementAfterTheFiringIsANewDeadline() {
            replica.submitDue();
            engine().submit(REPLACING);
            engine().commit();

            assertThat(firedInTheEnd()).containsExactly("first", "second");
        }

        @Test
        void theLastOfReplacementAndCancellationWins() {
            engine().submit(REPLACING);
            engine().submit(CANCELLING);
            engine().commit();
            assertThat(firedInTheEnd()).isEmpty();

            engine().submit(CANCELLING);
            engine().submit(REPLACING);
            engine().commit();
            assertThat(firedInTheEnd()).containsExactly("second");
        }

        @Test
        void anotherReplicaWinsIfItCommitsFirst() {
            for (Decision decision : List.of(CANCELLING, REPLACING)) {
                EngineUnderTest other = otherReplica();
                RecordingStore recording = new RecordingStore(store().commitStore());
                DeadlineReplica slow = replicaOf(
                        new EngineUnderTest(store(), recording, harness().clock(), 1_000));
                engine().run(scheduling("o-1", Duration.ZERO, "first"));
                recording.before("lockHead", () -> other.run(decision));

                slow.fire();

                assertThat(fired()).isEmpty();
            }
            assertThat(firedInTheEnd()).containsExactly("second");
        }

        private List<String> firedInTheEnd() {
            replica.fire();
            passTime(HOUR);
            replica.fire();
            return fired();
        }
    }

    @Nested
    class Crashes {

        @Test
        void ofAScheduleLeaveAllOrNothing() {
            for (Moment moment : Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_ROWS, CommitPoint.COMMIT)) {
                String key = moment.toString();

                Crash.at(moment, harness(), () -> newEngine().run(context -> {
                    deposit(key, 1).decide(context);
                    context.schedule(NAME, key, Duration.ZERO, new Noted(key));
                }));
                replicaOf(newEngine()).fire();

                assertThat(Collections.frequency(fired(), key)).as(key).isEqualTo((int)
                        newEngine().balance(key));
            }
            assertThat(fired()).containsExactly("after COMMIT");
        }

        @Test
        void ofAFiringLeaveTheRestToAnotherReplica() {
            for (Moment moment : Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_ROWS, CommitPoint.COMMIT)) {
                String key = moment.toString();
                newEngine().run(scheduling(key, Duration.ZERO, key));

                Crash.at(moment, harness(), () -> replicaOf(newEngine()).fire());
                replicaOf(newEngine()).fire();

                assertThat(Collections.frequency(fired(), key)).as(key).isEqualTo(1);
            }
            passTime(HOUR);
            replicaOf(newEngine()).fire();
            assertThat(rows()).isEmpty();
        }
    }

    @Nested
    class FailingStores {

        private FailingStore failing;

        @BeforeEach
        void startFailingReplica() {
            failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 1_000));
            startReplica();
        }

        @Test
        void loseTheResponseOfAFiring() {
            engine().run(scheduling("o-1", Duration.ZERO, "late"));
            failing.loseOutcomes(1);

            replica.fire();
            passTime(HOUR);
            replica.fire();

            assertThat(fired()).containsExactly("late");
            assertThat(rows()).isEmpty();
        }

        @Test
        void loseTheResponseOfASchedule() {
            failing.loseOutcomes(1);
            engine().submit("key", scheduling("o-1", Duration.ZERO, "late"));
            engine().commit();
            engine().submit("key", scheduling("o-1", Duration.ZERO, "late"));
            engine().commit();

            replica.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void delayTheFiring() {
            engine().run(scheduling("o-1", Duration.ZERO, "late"));
            failing.failOpens(100);
            assertThat(replica.fire()).isEmpty();
            assertThat(fired()).isEmpty();
            failing.failOpens(0);

            replica.fire(); // too early for another attempt
            assertThat(fired()).isEmpty();
            passTime(Duration.ofSeconds(1));
            replica.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void rejectOneEventWithoutDelayingOthers() {
            engine().run(scheduling(FailingStore.POISON, Duration.ZERO, "poison"));
            passTime(MINUTE);
            engine().run(scheduling("o-1", Duration.ZERO, "1"));
            replica.fire();
            assertThat(fired()).containsExactly("1");

            for (int run = 0; run < 3; run++) {
                passTime(MINUTE);
                assertThat(replica.fire()).isEqualTo(store().viewStore().findNextDue("deadlines"));
            }
            use(newEngine());
            startReplica();
            passTime(MINUTE);
            replica.fire();

            assertThat(fired()).containsExactly("1", "poison");
        }

        @Test
        void keepTheTimeOfADeadlineThatReplacesARejectedOne() {
            engine().run(scheduling(FailingStore.POISON, Duration.ZERO, "first"));
            replica.submitDue();
            engine().commit();
            engine().submit(scheduling(FailingStore.POISON, HOUR, "second"));
            replica.submitDue(); // postpones what it has failed to fire
            engine().commit();

            use(newEngine());
            startReplica();
            passTime(HOUR.minusSeconds(1));
            replica.fire();
            assertThat(fired()).isEmpty();
            passTime(Duration.ofSeconds(1));
            replica.fire();

            assertThat(fired()).containsExactly("second");
        }
    }

    @Nested
    class OtherVersions {

        private final View<NewerDeadline> newer = view(NewerDeadline.class);
        private final View<Noted> unreadable = view(Noted.class);

        private <R> View<R> view(Class<R> type) {
            return new View<>(Deadlines.VIEW.name(), type).indexed(row -> new RowIndex(null, null, now()));
        }

        @Test
        void doNotStopTheOthers() {
            engine().run(context -> {
                for (int i = 0; i < 250; i++) {
                    context.put(newer, "newer/" + i, new NewerDeadline("?"));
                }
            });
            passTime(MINUTE);
            engine().run(scheduling("o-1", Duration.ZERO, "1"));

            assertThatThrownBy(replica::submitDue).isInstanceOf(UnsupportedHereException.class);
            assertThatThrownBy(replica::submitDue).isInstanceOf(UnsupportedHereException.class);
            replica.fire();

            assertThat(fired()).containsExactly("1");
            assertThat(rows()).contains("newer/0", "newer/249");
        }

        @Test
        void doNotStopTheOthersWithAnUnreadableRow() {
            engine().run(context -> context.put(unreadable, "unreadable/1", new Noted("?")));
            passTime(MINUTE);
            engine().run(scheduling("o-1", Duration.ZERO, "1"));

            assertThat(replica.fire()).isEmpty();

            assertThat(fired()).containsExactly("1");
            assertThat(rows()).contains("unreadable/1");
        }
    }

    @Nested
    class ManyAtOnce {

        @Test
        void fireInBatches() {
            RecordingStore recording = new RecordingStore(store().commitStore());
            use(new EngineUnderTest(store(), recording, harness().clock(), 1_000));
            startReplica();
            engine().run(context -> {
                for (int i = 0; i < 1_000; i++) {
                    context.schedule(NAME, "o-" + i, HOUR, new Noted("" + i));
                }
            });
            passTime(HOUR);
            recording.calls().clear();

            replica.fire();

            assertThat(fired()).hasSize(1_000).doesNotHaveDuplicates();
            int commits = Collections.frequency(recording.calls(), "commit");
            assertThat(commits).isBetween(1, 10);
            assertThat(Collections.frequency(recording.calls(), "findRows")).isEqualTo(commits);
            assertThat(Collections.frequency(recording.calls(), "write")).isEqualTo(commits);
        }

        @Test
        void arePurgedInBatches() {
            engine().run(context -> {
                for (int i = 0; i < 500; i++) {
                    context.schedule(NAME, "o-" + i, HOUR, new Noted("" + i));
                    context.cancel(NAME, "o-" + i);
                }
            });
            passTime(HOUR);

            replica.fire();

            assertThat(rows()).isEmpty();
            assertThat(fired()).isEmpty();
        }
    }

    /** A row as a newer version of the service writes it. */
    @EventType(value = "Deadline", revision = 2)
    record NewerDeadline(String text) {}
}
