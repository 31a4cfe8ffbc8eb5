package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationHandler;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.StagedOperation;
import io.holdfast.action.Staging;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.action.execution.OperationRunner;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Rejection;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.StoreWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Operations run at any live replica, and take effect once: whichever replica dies, wherever it is, and whichever runs
 * them at the same time.
 */
public abstract class OperationRunnerKit extends StoreKit {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration TAKEOVER = Duration.ofSeconds(3);
    private static final int ALL = 1_000;

    private Replica one;
    private Replica other;

    @BeforeEach
    void startReplicas() {
        one = new Replica("one", store());
        other = new Replica("other", replica());
    }

    /** A replica whose handler appends an event, in the transaction that settles the item. */
    private final class Replica {

        private final Store store;
        private final OperationRunner runner;
        private final List<String> attempts = new ArrayList<>();
        private OperationHandler handler = this::appendEvent;
        private Runnable beforeStart = () -> {};
        private OperationHandler.Place place = OperationHandler.Place.ANYWHERE;

        Replica(String name, Store store) {
            this.store = store;
            this.runner = new OperationRunner(
                    store.actionStore(),
                    new OpenItems(store.actionStore(), harness().clock(), name),
                    harness().clock(),
                    name);
            runner.register(Kind.PAUSE, new OperationHandler() {
                @Override
                public CompletableFuture<OperationEffect> run(StagedOperation operation) {
                    attempts.add(operation.action());
                    return handler.run(operation);
                }

                @Override
                public Place place(StagedOperation operation) {
                    beforeStart.run();
                    return place;
                }
            });
        }

        private CompletableFuture<OperationEffect> appendEvent(StagedOperation operation) {
            StoreWriter writer = new StoreWriter(store.commitStore(), harness().clock(), codec);
            try (CommitSession session = store.commitStore().open()) {
                session.lockHead();
                List<Rejection> rejections =
                        session.write(List.of(StoreWriter.events(writer.draft("output", "key-" + effects(), 1))
                                .withSettlements(List.of(operation.settlement()))));
                if (!rejections.isEmpty()) {
                    throw rejections.get(0).cause();
                }
                session.commit();
            }
            return CompletableFuture.completedFuture(OperationEffect.settled());
        }

        /** Never completes an operation that reaches an armed crash: the process has died. */
        void diesInTheMiddle() {
            OperationHandler alive = handler;
            handler = operation -> {
                try {
                    return alive.run(operation);
                } catch (SimulatedCrash e) {
                    return new CompletableFuture<>();
                }
            };
        }

        void step() {
            runner.step();
        }
    }

    private ActionStore actions() {
        return store().actionStore();
    }

    private static Action pause(String id) {
        return StagedActions.action(id, Kind.PAUSE, List.of(new OperationItem("processor", "orders")));
    }

    private void stage(Replica replica, Action action) {
        assertThat(replica.runner.stage(action)).isInstanceOf(Staging.Staged.class);
    }

    private int effects() {
        return store().eventLog().readStream("output", 0, ALL).size();
    }

    private Receipt receipt(String id) {
        return actions().find(List.of(id)).get(0);
    }

    private Receipt.Result result(String id) {
        return Objects.requireNonNull(actions().findItems(id, 0, 1).get(0).result(), "the item is open");
    }

    private void assertOutcome(String id, Outcome outcome, String detail) {
        assertThat(result(id).outcome()).isEqualTo(outcome);
        assertThat(result(id).detail()).contains(detail);
        assertThat(receipt(id).isDone()).isTrue();
    }

    private void passTime(Duration time, Replica... replicas) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(POLL)) {
            harness().passTime(POLL);
            List.of(replicas).forEach(Replica::step);
        }
    }

    @Nested
    class Run {

        @Test
        void atOnceWhereTheyWereStaged() {
            stage(one, pause("1"));

            other.step();
            one.step();

            assertThat(result("1").outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(result("1").replica()).isEqualTo("one");
            assertThat(result("1").isDurable()).isTrue();
            assertThat(effects()).isEqualTo(1);
            passTime(TAKEOVER, one, other);
            assertThat(one.attempts).containsExactly("1");
            assertThat(other.attempts).isEmpty();
        }

        @Test
        void atAnotherReplicaIfTheOneThatHasStagedThemDies() {
            stage(one, pause("1"));

            passTime(Duration.ofSeconds(2), other);
            assertThat(other.attempts).isEmpty();
            passTime(TAKEOVER, other);

            assertThat(result("1").replica()).isEqualTo("other");
            assertThat(effects()).isEqualTo(1);
        }

        @Test
        void atTheOnlyReplicaThatCan() {
            one.place = OperationHandler.Place.ELSEWHERE;
            other.place = OperationHandler.Place.HERE;
            stage(one, pause("1"));

            one.step();
            other.step();

            assertThat(one.attempts).isEmpty();
            assertThat(result("1").replica()).isEqualTo("other");
        }

        @Test
        void withWhatWasRequested() {
            List<StagedOperation> operations = new ArrayList<>();
            one.handler = operation -> {
                operations.add(operation);
                return CompletableFuture.completedFuture(OperationEffect.unsettled("done"));
            };
            stage(one, pause("1").withOptions(Map.of("force", "true")));

            one.step();

            assertThat(operations).singleElement().satisfies(operation -> {
                assertThat(operation.kind()).isEqualTo(Kind.PAUSE);
                assertThat(operation.target()).isEqualTo("target of 1");
                assertThat(operation.options()).containsEntry("force", "true");
                assertThat(operation.requester()).isEqualTo(StagedActions.ANA);
                assertThat(operation.item()).isEqualTo(new OperationItem("processor", "orders"));
            });
        }

        @Test
        void elsewhereIfThisVersionLacksTheHandler() {
            stage(one, StagedActions.action("1", Kind.RESET, List.of(new OperationItem("processor", "orders"))));

            passTime(TAKEOVER, one, other);
            assertThat(receipt("1").isDone()).isFalse();
            other.runner.register(Kind.RESET, other.handler);
            passTime(TAKEOVER, one, other);

            assertThat(result("1").replica()).isEqualTo("other");
        }

        @Test
        void onceAtATime() {
            CompletableFuture<OperationEffect> effect = new CompletableFuture<>();
            one.handler = unused -> effect;
            stage(one, pause("1"));

            passTime(TAKEOVER, one);
            assertThat(one.attempts).hasSize(1);
            assertThat(receipt("1").isDone()).isFalse();
            effect.complete(OperationEffect.unsettled(null));
            one.step();

            assertThat(result("1").outcome()).isEqualTo(Outcome.APPLIED);
        }

        @Test
        void notAfterTheDeadline() {
            stage(one, pause("1").withTimeToLive(POLL));
            harness().passTime(POLL);

            passTime(TAKEOVER, one, other);

            assertOutcome("1", Outcome.NOT_TRIED, LetterOutcome.EXPIRED);
            assertThat(effects()).isZero();
        }
    }

    @Nested
    class Settled {

        @Test
        void areThoseWithoutATransactionAfterwards() {
            one.handler = unused -> CompletableFuture.completedFuture(OperationEffect.unsettled("3 entries"));
            stage(one, pause("1"));

            one.step();

            assertOutcome("1", Outcome.APPLIED, "3 entries");
            assertThat(result("1").isDurable()).isTrue();
        }

        @Test
        void areThoseInMemoryAsNotDurable() {
            one.handler = unused -> CompletableFuture.completedFuture(OperationEffect.inMemory());
            stage(one, pause("1"));

            one.step();

            assertThat(result("1").outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(result("1").isDurable()).isFalse();
        }

        @Test
        void areRefusedOnesWithTheReason() {
            one.handler = unused -> {
                throw new PermanentException("processor orders is not resettable");
            };
            other.handler = unused -> CompletableFuture.failedFuture(new PermanentException("segment 3 is claimed"));
            stage(one, pause("1"));
            one.step();
            stage(other, pause("2"));
            other.step();

            assertOutcome("1", Outcome.REFUSED, "processor orders is not resettable");
            assertOutcome("2", Outcome.REFUSED, "segment 3 is claimed");
            assertThat(effects()).isZero();
        }

        @Test
        void areThoseThatFailUnexpectedly() {
            one.handler = unused -> {
                throw new IllegalStateException("a bug");
            };
            stage(one, pause("1"));

            one.step();

            assertOutcome("1", Outcome.REFUSED, "IllegalStateException: a bug");
        }

        @Test
        void areRetriedOnesOnceTheySucceed() {
            OperationHandler working = one.handler;
            one.handler = unused -> CompletableFuture.failedFuture(new RetryableException("no connection"));
            stage(one, pause("1"));
            passTime(TAKEOVER, one);
            assertThat(receipt("1").isDone()).isFalse();

            one.handler = working;
            passTime(POLL, one);

            assertThat(result("1").outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(effects()).isEqualTo(1);
        }
    }

    @Nested
    class Races {

        private void interferes(Runnable interference) {
            OperationHandler working = one.handler;
            one.handler = operation -> {
                interference.run();
                return working.run(operation);
            };
        }

        @Test
        void ofTwoReplicasApplyTheOperationOnce() {
            other.place = OperationHandler.Place.HERE;
            interferes(other::step);
            stage(one, pause("1"));

            one.step();

            assertThat(one.attempts).hasSize(1);
            assertThat(other.attempts).hasSize(1);
            assertThat(effects()).isEqualTo(1);
            assertThat(result("1").outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(result("1").replica()).isEqualTo("other");
        }

        @Test
        void withAStopDoNotApplyIt() {
            interferes(() -> actions().stop("1", StagedActions.ANA, "other"));
            stage(one, pause("1"));

            passTime(TAKEOVER, one, other);

            assertOutcome("1", Outcome.NOT_TRIED, LetterOutcome.STOPPED);
            assertThat(effects()).isZero();
        }

        @Test
        void withTheDeadlineDoNotApplyIt() {
            interferes(() -> {
                harness().passTime(Action.TIME_TO_LIVE);
                actions().expire(ALL, "other");
            });
            stage(one, pause("1"));

            passTime(TAKEOVER, one, other);

            assertOutcome("1", Outcome.NOT_TRIED, LetterOutcome.EXPIRED);
            assertThat(effects()).isZero();
        }

        /** Another replica runs the operation after this one has found it. */
        @Test
        void withAnEarlierRunDoNotStartIt() {
            one.place = OperationHandler.Place.HERE;
            one.beforeStart = other::step;
            stage(other, pause("1"));

            one.step();
            passTime(TAKEOVER, one, other);

            assertThat(one.attempts).isEmpty();
            assertThat(other.attempts).hasSize(1);
            assertThat(effects()).isEqualTo(1);
        }
    }

    @Nested
    class Crashes {

        @Test
        void whileStagingLeaveAnActionThatRunsOrNone() {
            for (Moment moment : Moment.of(CommitPoint.ACTION_STAGE)) {
                Crash.at(moment, harness(), () -> one.runner.stage(pause("1")));

                passTime(TAKEOVER.plus(POLL), other);

                assertThat(effects()).as("%s", moment).isEqualTo(moment.after() ? 1 : 0);
            }
            assertThat(result("1").replica()).isEqualTo("other");
        }

        @Test
        void whileItTakesEffectDoNotRepeatIt() {
            one.diesInTheMiddle();
            int number = 0;
            for (Moment moment : Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_OUTCOMES, CommitPoint.COMMIT)) {
                String id = "action-" + number++;
                stage(one, pause(id));
                harness().crashPoints().crashAt(moment);
                one.step();
                assertThat(harness().crashPoints().isArmed()).as("%s", moment).isFalse();

                passTime(TAKEOVER.plus(POLL), other);

                assertThat(effects()).as("%s", moment).isEqualTo(number);
                assertThat(result(id).outcome()).as("%s", moment).isEqualTo(Outcome.APPLIED);
            }
        }

        /** Handlers of such operations are idempotent. */
        @Test
        void beforeASettlementAfterwardsRepeatTheOperation() {
            one.handler = unused -> CompletableFuture.completedFuture(OperationEffect.unsettled("first"));
            other.handler = unused -> CompletableFuture.completedFuture(OperationEffect.unsettled("second"));
            stage(one, pause("1"));
            Crash.before(CommitPoint.ACTION_SETTLE, harness(), one::step);

            passTime(TAKEOVER.plus(POLL), other);

            assertOutcome("1", Outcome.APPLIED, "second");
        }

        @Test
        void afterASettlementDoNot() {
            one.handler = unused -> CompletableFuture.completedFuture(OperationEffect.unsettled("first"));
            stage(one, pause("1"));
            Crash.after(CommitPoint.ACTION_SETTLE, harness(), one::step);

            passTime(TAKEOVER.plus(POLL), other);

            assertOutcome("1", Outcome.APPLIED, "first");
            assertThat(other.attempts).isEmpty();
        }
    }

    @Nested
    class Awaited {

        @Test
        void receiptIsReturnedOnceTheOperationHasRun() {
            stage(one, pause("1"));
            CompletableFuture<Receipt> receipt = other.runner.await("1", Duration.ofMinutes(1));
            other.step();
            assertThat(receipt).isNotDone();

            one.step();
            passTime(POLL, other);

            assertThat(receipt.join().isDone()).isTrue();
        }

        @Test
        void receiptIsReturnedAsItIsAfterTheTimeout() {
            one.handler = unused -> new CompletableFuture<>();
            stage(one, pause("1"));
            CompletableFuture<Receipt> receipt = one.runner.await("1", POLL);

            passTime(POLL, one);

            assertThat(receipt.join().isDone()).isFalse();
        }

        @Test
        void receiptOfAnUnknownActionFails() {
            CompletableFuture<Receipt> receipt = one.runner.await("unknown", Duration.ofMinutes(1));

            one.step();

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(receipt::join)
                    .withCauseInstanceOf(RetryableException.class);
        }
    }
}
