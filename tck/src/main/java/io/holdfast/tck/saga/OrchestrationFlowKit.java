package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.StepStatus;
import io.holdfast.saga.orchestration.SagaOrchestrations;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Contract of orchestrated sagas: steps, refusals, failures, timeouts and their compensation. */
public abstract class OrchestrationFlowKit extends OrchestrationKit {

    private static final Duration BEYOND_REPLY = Purchase.REPLY_TIMEOUT.plusSeconds(1);

    @Nested
    class Forward {

        @Test
        void runsAllStepsOnce() {
            run("o-1");

            assertStatus("o-1", SagaStatus.COMPLETED);
            assertThat(steps("o-1"))
                    .containsExactly(
                            "place COMPLETED",
                            "check COMPLETED",
                            "reserve COMPLETED",
                            "charge COMPLETED",
                            "confirm COMPLETED");
            assertThat(world().events("o-1")).containsExactly(CONFIRMED);
            assertThat(script.calls()).containsExactly("check o-1");
            assertThat(find("o-1").key()).isEqualTo("o-1");
            assertThat(step("o-1", "reserve").service()).isEqualTo(Trade.INVENTORY);
            assertThat(count("saga.started")).isEqualTo(1);
            assertThat(count("saga.completed")).isEqualTo(1);
        }

        @Test
        void startsOneSagaForOneKey() {
            var first = submit("o-1", world().tracker());
            var second = submit("o-1", world().tracker());
            world().settle();
            var third = start("o-1");
            world().settle();

            assertThat(first).isCompleted();
            assertThat(second).isCompleted();
            assertThat(third).isCompleted();
            assertThat(world().events("o-1")).containsExactly(CONFIRMED);
            assertThat(count("saga.started")).isEqualTo(1);
        }

        @Test
        void isReadableWhenTheCommandReturns() {
            var unused = start("o-1");

            assertStatus("o-1", SagaStatus.STARTED);
            assertThat(find("o-1").expected()).singleElement().satisfies(expected -> {
                assertThat(expected.eventType()).isEqualTo("check");
                assertThat(expected.service()).isEqualTo(Trade.TRACKER);
            });
        }

        @Test
        void storesNothingIfTheFirstLocalStepRefuses() {
            script.reject("place");

            var refused = start("o-1");

            assertThatThrownBy(refused::join).hasCauseInstanceOf(PurchaseScript.Rejected.class);
            assertThat(world().tracker().sagas().find(saga("o-1"))).isEmpty();
            assertThat(world().events("o-1")).isEmpty();
            script.repair("place");
            run("o-1");
            assertStatus("o-1", SagaStatus.COMPLETED);
        }
    }

    @Nested
    class Compensation {

        @Test
        void undoesInReverseOrderAfterARefusal() {
            script.refuse("charge");

            run("o-1");

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(steps("o-1"))
                    .containsExactly(
                            "place COMPENSATED",
                            "check COMPENSATED",
                            "reserve COMPENSATED",
                            "charge FAILED",
                            "confirm PENDING");
            assertThat(find("o-1").reason()).isEqualTo("declined");
            assertThat(world().events("o-1"))
                    .containsExactly(
                            "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentFailed");
            assertThat(script.calls()).containsExactly("check o-1", "check.undo o-1");
            assertThat(count("saga.compensated")).isEqualTo(1);
        }

        @Test
        void compensatesIfALocalStepRefusesLater() {
            script.reject("confirm");

            run("o-1");

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(step("o-1", "confirm").status()).isEqualTo(StepStatus.FAILED);
            assertThat(step("o-1", "charge").status()).isEqualTo(StepStatus.COMPENSATED);
            assertThat(world().events("o-1"))
                    .containsExactly(
                            "OrderCreated",
                            "OrderCancelled",
                            "StockReserved",
                            "StockReleased",
                            "PaymentProcessed",
                            "PaymentRefunded");
            assertThat(letters()).isEmpty();
        }

        @Test
        void parksAFailingUndoAndContinuesWithItsReplay() {
            script.refuse("charge");
            script.fail("check.undo");
            script.reject("place.undo");

            run("o-1");
            passRetries();

            assertStatus("o-1", SagaStatus.COMPENSATING);
            assertThat(letters())
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.message().type()).isEqualTo("Purchase.check.undo"));
            script.repair("check.undo");
            replayOrchestrator();
            assertThat(letters())
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.message().type()).isEqualTo("Purchase.place.undo"));
            script.repair("place.undo");
            replayOrchestrator();
            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(letters()).isEmpty();
            assertThat(world().events("o-1"))
                    .containsExactly(
                            "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentFailed");
        }

        @Test
        void parksAFailingUndoOfAParticipantAndContinuesWithItsReplay() {
            script.refuse("charge");
            script.reject("reserve.undo");

            run("o-1");

            assertStatus("o-1", SagaStatus.COMPENSATING);
            script.repair("reserve.undo");
            replayParticipant(Trade.INVENTORY);
            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(script.calls()).containsExactly("check o-1", "check.undo o-1");
        }

        @Test
        void withdrawsWhatTheParticipantHasNotDone() {
            world().down(Trade.PAYMENT);
            run("o-1");
            world().awaitAbsence(Trade.PAYMENT);
            world().settle();
            assertStatus("o-1", SagaStatus.COMPENSATING);

            script.refuse("charge"); // must not be asked: it would refuse instead of charging
            world().up(Trade.PAYMENT);
            world().settle();

            assertStatus("o-1", SagaStatus.COMPENSATED);
        }
    }

    @Nested
    class Calls {

        @Test
        void retriesACallWithTheSameKey() {
            script.fail("check");
            run("o-1");
            script.repair("check");

            passRetries();

            assertStatus("o-1", SagaStatus.COMPLETED);
            assertThat(script.calls()).containsExactly("check o-1", "check o-1");
            assertThat(script.keys()).isEqualTo(1);
        }

        @Test
        void undoesACallOfUnknownOutcomeFirst() {
            script.fail("check");

            run("o-1");
            passRetries();

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(script.calls()).containsExactly("check o-1", "check o-1", "check o-1", "check.undo o-1");
            assertThat(step("o-1", "check").failureReason()).isEqualTo("check fails, as scripted");
            assertThat(letters()).isEmpty();
        }

        @Test
        void doesNotUndoACallThatWasRefused() {
            script.reject("check");

            run("o-1");

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(script.calls()).containsExactly("check o-1");
            assertThat(step("o-1", "check").status()).isEqualTo(StepStatus.FAILED);
        }

        @Test
        void awaitsARunningCallAfterTheDeadlineAndUndoesIt() {
            script.hang("check");
            run("o-1");
            world().pass(SagaWorld.DEADLINE.plusSeconds(1));
            assertStatus("o-1", SagaStatus.COMPENSATING);
            assertThat(world().events("o-1")).containsExactly("OrderCreated");

            script.respond();
            world().settle();

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(script.calls()).containsExactly("check o-1", "check.undo o-1");
            assertThat(count("saga.timedout")).isEqualTo(1);
        }

        @Test
        void doesNotRetryACallOfASagaThatCompensates() {
            script.fail("check");
            run("o-1");
            world().passTime(SagaWorld.DEADLINE.plusSeconds(1));
            world().judge();
            assertStatus("o-1", SagaStatus.COMPENSATING);

            script.repair("check");
            passRetries();

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(script.calls()).containsExactly("check o-1", "check.undo o-1");
        }
    }

    @Nested
    class Timeouts {

        @Test
        void failsACommandWithoutAReply() {
            world().down(Trade.PAYMENT);
            run("o-1");

            world().awaitAbsence(Trade.PAYMENT);
            world().settle();

            assertStatus("o-1", SagaStatus.COMPENSATING);
            assertThat(find("o-1").reason()).contains("PaymentProcessed");
            assertThat(find("o-1").expected()).singleElement().satisfies(expected -> assertThat(expected.eventType())
                    .isEqualTo("PaymentRefunded"));
            world().up(Trade.PAYMENT);
            world().settle();
            assertStatus("o-1", SagaStatus.COMPENSATED);
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
        void acceptsALateRefusalAsTheAnswerOfTheUndo() {
            world().down(Trade.PAYMENT);
            run("o-1");
            world().awaitAbsence(Trade.PAYMENT);
            world().settle();
            assertStatus("o-1", SagaStatus.COMPENSATING);

            script.refuse("charge");
            world().up(Trade.PAYMENT);
            world().settle();

            assertStatus("o-1", SagaStatus.COMPENSATED);
            assertThat(step("o-1", "charge").status()).isEqualTo(StepStatus.FAILED);
        }

        @Test
        void isSuspendedWhileTheCommandIsParkedAndCompletesWithItsReplay() {
            script.reject("charge");
            run("o-1");
            for (int minute = 0; minute < 10; minute++) {
                world().pass(Duration.ofMinutes(1));
            }
            assertStatus("o-1", SagaStatus.IN_PROGRESS);

            script.repair("charge");
            replayParticipant(Trade.PAYMENT);

            assertStatus("o-1", SagaStatus.COMPLETED);
            assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        }

        @Test
        void waitsForAnOperatorIfTimeoutsDoNotCompensate() {
            world().settings(withoutAutoCompensate());
            world().stopTrackers();
            var unused = world().startTracker(harness().store());
            world().pass(SagaWorld.BEYOND_LEASE);
            script.hang("check");
            run("o-1");

            world().pass(Duration.ofMinutes(1));
            script.respond();
            world().settle();

            assertStatus("o-1", SagaStatus.TIMED_OUT);
            assertThat(world().events("o-1")).containsExactly("OrderCreated");
            act("o-1", (actions, command, saga, version) -> actions.compensate(command, saga, version, "late"))
                    .join();
            assertStatus("o-1", SagaStatus.COMPENSATED);
        }

        @Test
        void parksTheUndoBehindAParkedCommand() {
            world().settings(withMaxSuspended(Duration.ofMinutes(1)));
            world().stopTrackers();
            var unused = world().startTracker(harness().store());
            world().pass(SagaWorld.BEYOND_LEASE);
            script.reject("charge");
            run("o-1");
            for (int i = 0; i < 20; i++) {
                world().pass(Duration.ofSeconds(15));
            }
            assertStatus("o-1", SagaStatus.COMPENSATING);

            script.repair("charge");
            replayParticipant(Trade.PAYMENT);

            assertStatus("o-1", SagaStatus.COMPENSATED);
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
        void doesNotTimeOutWhileTheReplyIsUnread() {
            world().pause(world().tracker().processor(SagaOrchestrations.PROCESSOR));
            run("o-1");

            world().pass(BEYOND_REPLY.plus(SagaWorld.DEADLINE));

            assertThat(find("o-1").status()).isEqualTo(SagaStatus.COMPENSATING);
        }
    }

    @Nested
    class Replay {

        @Test
        void refusesTheReplayOfAnUndoAfterAnOperatorGaveUp() {
            script.refuse("charge");
            script.reject("place.undo");
            run("o-1");
            assertThat(letters()).hasSize(1);
            giveUp("o-1");

            script.repair("place.undo");
            replayOrchestrator();

            assertStatus("o-1", SagaStatus.FAILED);
            assertThat(letters()).singleElement().satisfies(letter -> {
                assertThat(Objects.requireNonNull(letter.cause()).message()).contains("has ended as FAILED");
            });
        }
    }
}
