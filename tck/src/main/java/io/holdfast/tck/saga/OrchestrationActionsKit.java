package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.Command;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.StepStatus;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.orchestration.SagaActions;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.StagedActions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract of what operators decide about orchestrated sagas. */
public abstract class OrchestrationActionsKit extends OrchestrationKit {

    @Test
    void compensatesARunningSaga() {
        world().down(Trade.PAYMENT);
        run("o-1");

        act("o-1", (actions, command, saga, version) -> actions.compensate(command, saga, version, "fraud"))
                .join();
        world().up(Trade.PAYMENT);
        world().pass(SagaWorld.BEYOND_LEASE);

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(find("o-1").reason()).isEqualTo("fraud");
        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated",
                        "OrderCancelled",
                        "StockReserved",
                        "StockReleased",
                        "PaymentProcessed",
                        "PaymentRefunded");
    }

    @Test
    void skipsTheStepInProgress() {
        script.hang("check");
        run("o-1");

        act("o-1", (actions, command, saga, version) -> actions.skip(command, saga, version, "check", "known"))
                .join();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(step("o-1", "check").status()).isEqualTo(StepStatus.SKIPPED);
    }

    @Test
    void flagsASkippedStepThatSucceedsAndAwaitsTheNextOne() {
        script.fail("reserve");
        script.fail("charge");
        run("o-1");
        act("o-1", (actions, command, saga, version) -> actions.skip(command, saga, version, "reserve", "by hand"))
                .join();

        script.repair("reserve");
        passRetries();

        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertThat(world().events("o-1")).containsExactly("OrderCreated", "StockReserved");
        assertThat(find("o-1").attentionReason())
                .contains("step reserve was skipped, but has succeeded since; nothing undoes it");
        script.refuse("charge");
        script.repair("charge");
        replayParticipant(Trade.PAYMENT);
        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly("OrderCreated", "OrderCancelled", "StockReserved", "PaymentFailed");
    }

    @Test
    void skipsAnUndoThatKeepsFailing() {
        script.refuse("charge");
        script.reject("check.undo");
        run("o-1");
        assertStatus("o-1", SagaStatus.COMPENSATING);

        act("o-1", (actions, command, saga, version) -> actions.skip(command, saga, version, "check", "by hand"))
                .join();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1")).contains("OrderCancelled", "StockReleased");
        int calls = script.calls().size();
        script.repair("check.undo");
        replayOrchestrator();
        assertThat(script.calls()).hasSize(calls);
    }

    @Test
    void rejectsToSkipAStepThatTheSagaDoesNotAwait() {
        script.hang("check");
        run("o-1");

        var acted = act(
                "o-1",
                (actions, command, saga, version) -> actions.skip(command, saga, version, "charge", "no reason"));

        assertThatThrownBy(acted::join)
                .hasCauseInstanceOf(PermanentException.class)
                .hasMessageContaining("charge");
        assertStatus("o-1", SagaStatus.STARTED);
    }

    @Test
    void repeatsTheCommandInProgressWithoutASecondEffect() {
        script.reject("charge");
        run("o-1");
        script.repair("charge");

        act("o-1", (actions, command, saga, version) -> actions.retry(command, saga, version))
                .join();
        replayParticipant(Trade.PAYMENT);

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
    }

    @Test
    void givesUpACompensation() {
        script.refuse("charge");
        script.reject("place.undo");
        run("o-1");

        giveUp("o-1");

        assertStatus("o-1", SagaStatus.FAILED);
        assertThat(count("saga.failed")).isEqualTo(1);
    }

    @Test
    void rejectsTheSecondOfTwoActionsOnTheSameVersion() {
        script.hang("check");
        run("o-1");
        long version = world().tracker().sagas().find(saga("o-1")).orElseThrow().version();
        SagaActions actions = world().tracker().actions();

        CompletableFuture<Void> first =
                actions.skip(Command.once(Clock.systemUTC()), saga("o-1"), version, "check", "known");
        CompletableFuture<Void> second =
                actions.compensate(Command.once(Clock.systemUTC()), saga("o-1"), version, "fraud");
        world().settle();

        assertThat(first).isCompleted();
        assertThat(second)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(PermanentException.class)
                .withMessageContaining("has changed");
        assertStatus("o-1", SagaStatus.COMPLETED);
    }

    @Test
    void rejectsAnActionOnAnOutdatedVersion() {
        script.hang("check");
        run("o-1");
        StoredSaga seen = world().tracker().sagas().find(saga("o-1")).orElseThrow();
        script.respond();
        world().settle();

        assertThatThrownBy(() -> world().tracker()
                        .actions()
                        .compensate(Command.once(Clock.systemUTC()), saga("o-1"), seen.version(), "late"))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("has changed");
    }

    @Test
    void rejectsActionsOnASagaThatHasEnded() {
        run("o-1");

        var acted = act("o-1", (actions, command, saga, version) -> actions.compensate(command, saga, version, "late"));

        assertThatThrownBy(acted::join).hasMessageContaining("is COMPLETED");
    }

    @Nested
    class Operations {

        private StagedActions operations;

        @BeforeEach
        void stageOperations() {
            operations = new StagedActions(harness().store().actionStore());
        }

        private Settlement operation(Kind kind) {
            return operations.operation(kind, "o-1");
        }

        @Test
        void settleWithACompensation() {
            script.hang("check");
            run("o-1");
            Settlement settlement = operation(Kind.COMPENSATE_SAGA);

            act(
                            "o-1",
                            (actions, command, saga, version) ->
                                    actions.compensate(command, saga, version, "fraud", settlement))
                    .join();

            operations.assertApplied(settlement);
            assertThat(find("o-1").reason()).isEqualTo("fraud");
        }

        @Test
        void settleWithASkippedStep() {
            script.hang("check");
            run("o-1");
            Settlement settlement = operation(Kind.SKIP_STEP);

            act(
                            "o-1",
                            (actions, command, saga, version) ->
                                    actions.skip(command, saga, version, "check", "known", settlement))
                    .join();

            operations.assertApplied(settlement);
            assertThat(step("o-1", "check").status()).isEqualTo(StepStatus.SKIPPED);
        }

        @Test
        void settleWithARetry() {
            script.reject("charge");
            run("o-1");
            script.repair("charge");
            Settlement settlement = operation(Kind.RETRY_STEP);

            act("o-1", (actions, command, saga, version) -> actions.retry(command, saga, version, settlement))
                    .join();

            operations.assertApplied(settlement);
        }

        @Test
        void settleWithACompensationThatIsGivenUp() {
            script.refuse("charge");
            script.reject("place.undo");
            run("o-1");
            Settlement settlement = operation(Kind.GIVE_UP_SAGA);

            act(
                            "o-1",
                            (actions, command, saga, version) ->
                                    actions.giveUp(command, saga, version, "given up", settlement))
                    .join();

            operations.assertApplied(settlement);
            assertStatus("o-1", SagaStatus.FAILED);
        }

        @Test
        void thatAreSettledChangeNothing() {
            script.hang("check");
            run("o-1");
            Settlement settlement = operation(Kind.SKIP_STEP);
            operations.refuse(settlement);

            var acted = act(
                    "o-1",
                    (actions, command, saga, version) ->
                            actions.skip(command, saga, version, "check", "known", settlement));

            assertThatThrownBy(acted::join).hasCauseInstanceOf(AlreadySettledException.class);
            assertStatus("o-1", SagaStatus.STARTED);
        }

        @Test
        void thatAreRejectedStayOpen() {
            script.hang("check");
            run("o-1");
            Settlement settlement = operation(Kind.SKIP_STEP);

            var acted = act(
                    "o-1",
                    (actions, command, saga, version) ->
                            actions.skip(command, saga, version, "charge", "no reason", settlement));

            assertThatThrownBy(acted::join).hasCauseInstanceOf(PermanentException.class);
            assertThat(operations.isOpen(settlement)).isTrue();
        }

        static List<Moment> moments() {
            return Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_ROWS, CommitPoint.WRITE_OUTCOMES, CommitPoint.COMMIT);
        }

        /** The decision and its outcome are durable together, or neither is. */
        @ParameterizedTest
        @MethodSource("moments")
        void settleOnlyWithTheDecisionInACrash(Moment moment) {
            require(Capability.CRASH_POINTS);
            script.hang("check");
            run("o-1");
            Settlement settlement = operation(Kind.SKIP_STEP);

            assertThat(world().crash(() -> crashWhileSkipping(moment, settlement)))
                    .isTrue();

            boolean isSkipped = step("o-1", "check").status() == StepStatus.SKIPPED;
            assertThat(operations.isOpen(settlement)).isEqualTo(!isSkipped);
            assertThat(isSkipped).isEqualTo(moment.equals(new Moment(CommitPoint.COMMIT, true)));
        }

        private void crashWhileSkipping(Moment moment, Settlement settlement) {
            StoredSaga seen = world().tracker().sagas().find(saga("o-1")).orElseThrow();
            Command command = Command.once(Clock.systemUTC());
            var unused = world().tracker()
                    .actions()
                    .skip(command, saga("o-1"), seen.version(), "check", "known", settlement);
            harness().crashPoints().crashAt(moment);
            world().tracker().commit();
        }
    }
}
