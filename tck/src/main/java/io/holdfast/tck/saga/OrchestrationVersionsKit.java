package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.InvalidSettingsException;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.StepStatus;
import io.holdfast.saga.orchestration.CommandUndo;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaStepBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Contract of definitions that change while sagas run: they finish, or the start fails and names them. */
public abstract class OrchestrationVersionsKit extends OrchestrationKit {

    @Test
    void sagasRunAStepThatIsAddedBehindThem() {
        stopBeforeReply("o-1");

        deploy(next(base().step("audit")
                .callAsync((purchase, call) -> script.call("audit", purchase, call))
                .step("confirm")));

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(script.calls()).containsExactly("check o-1", "audit o-1");
        assertThat(step("o-1", "audit").status()).isEqualTo(StepStatus.COMPLETED);
    }

    @Test
    void sagasSkipAStepThatIsAddedBeforeThem() {
        stopBeforeReply("o-1");

        deploy(next(Purchase.upToCharge(
                        script,
                        SagaDefinition.named(Purchase.TYPE, Purchase.class)
                                .step("screen")
                                .callAsync((purchase, call) -> script.call("screen", purchase, call)))
                .step("confirm")));

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(script.calls()).containsExactly("check o-1");
        assertThat(find("o-1").steps()).doesNotContainKey("screen");
        assertThat(step("o-1", "confirm").stepNumber()).isEqualTo(5);
        run("o-2");
        assertThat(script.calls()).contains("screen o-2");
    }

    @Test
    void sagasSkipARetiredStepThatTheyHaveNotReached() {
        deploy(
                "1",
                next(base().step("greet")
                        .local((purchase, decision) -> script.attempt("greet"))
                        .step("confirm")));
        restart();
        stopBeforeReply("o-1");

        script.reject("greet");
        deploy(next(base().retired("greet")
                .local((purchase, decision) -> script.attempt("greet"))
                .step("confirm")));

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(step("o-1", "greet").status()).isEqualTo(StepStatus.SKIPPED);
    }

    @Test
    void sagasDoNotGetAStepThatIsAddedAsRetired() {
        stopBeforeReply("o-1");

        deploy(next(base().retired("audit")
                .callAsync((purchase, call) -> script.call("audit", purchase, call))
                .step("confirm")));

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(find("o-1").steps()).doesNotContainKey("audit");
    }

    @Test
    void sagasFinishAndUndoARetiredStep() {
        world().down(Trade.PAYMENT);
        run("o-1");
        script.refuse("charge");

        deploy(next(Purchase.chargeRetired(script).step("confirm")));
        world().up(Trade.PAYMENT);
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(script.calls()).containsExactly("check o-1", "check.undo o-1");
        run("o-2");
        assertThat(world().events("o-2")).containsExactly("OrderCreated", "OrderConfirmed", "StockReserved");
    }

    @Test
    void sagasKnowARenamedStepByItsFormerName() {
        stopBeforeReply("o-1");

        deploy(next(base().step("approve").formerly("confirm")));

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(find("o-1").steps()).containsKey("confirm").doesNotContainKey("approve");
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
    }

    @Test
    void callsOfARenamedStepKeepTheirIdempotencyKeys() {
        script.hang("check");
        run("o-1");

        deploy(next(Purchase.checkRenamed(script, "screen").step("confirm")));
        script.refuse("charge");
        script.respond();
        script.hang("check.undo");
        world().settle();
        deploy("3", next(Purchase.checkRenamed(script, "vet").step("confirm")));
        restart();
        script.respond();
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(script.calls()).containsExactly("check o-1", "check o-1", "check.undo o-1", "check.undo o-1");
        assertThat(script.keys()).isEqualTo(2);
    }

    @Test
    void olderReplicaMakesTheCallOfAStepThatANewerOneHasRenamed() {
        deploy("1", auditedBy(base().step("audit")));
        restart();
        SagaDefinition<Purchase> old = definition();
        stopBeforeReply("o-1");
        script.hang("audit");
        deploy(auditedBy(base().step("inspect").formerly("audit")));

        deploy("1", old);
        restart();
        script.respond();
        world().settle();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(script.calls()).containsExactly("check o-1", "audit o-1", "audit o-1");
        assertThat(letters()).isEmpty();
    }

    private SagaDefinition<Purchase> auditedBy(SagaStepBuilder<Purchase> audit) {
        return next(audit.callAsync((purchase, call) -> script.call("audit", purchase, call))
                .step("confirm"));
    }

    @Test
    void startNamesTheSagasWhoseStepIsMissing() {
        stopBeforeReply("o-1");
        deploy("2", next(base().step("approve")));

        assertThatThrownBy(() -> world().tracker().requireSteps(definition()))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("Purchase/confirm")
                .hasMessageContaining(saga("o-1"));
    }

    @Test
    void olderReplicaParksATriggerForANewerOne() {
        SagaDefinition<Purchase> old = definition();
        deploy(next(base().step("audit")
                .callAsync((purchase, call) -> script.call("audit", purchase, call))
                .step("confirm")));
        world().down(Trade.PAYMENT);
        run("o-1");
        world().up(Trade.PAYMENT);
        world().participant(Trade.PAYMENT).work();
        world().participant(Trade.PAYMENT).work();
        SagaDefinition<Purchase> newer = definition();

        deploy("1", old);
        restart();
        world().pass(Duration.ofSeconds(1));
        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertThat(script.calls()).containsExactly("check o-1");

        deploy("2", newer);
        restart();
        world().pass(Duration.ofSeconds(20));
        world().pass(Duration.ofSeconds(1));

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(script.calls()).containsExactly("check o-1", "audit o-1");
        assertThat(letters()).isEmpty();
    }

    /** Returns everything up to the payment. */
    private CommandUndo<Purchase> base() {
        return Purchase.upToCharge(
                script, SagaDefinition.named(Purchase.TYPE, Purchase.class).key(Purchase::order));
    }

    /** Ends a definition with the confirmation. */
    private static SagaDefinition<Purchase> next(SagaStepBuilder<Purchase> last) {
        return last.local((purchase, decision) ->
                        decision.append(Trade.ORDER, purchase.order(), new Trade.OrderConfirmed(purchase.score())))
                .build();
    }

    /** Runs a saga up to the command to charge its payment, whose service is down. It answers after the next update. */
    private void stopBeforeReply(String order) {
        world().down(Trade.PAYMENT);
        run(order);
        assertStatus(order, SagaStatus.IN_PROGRESS);
    }

    private void deploy(SagaDefinition<Purchase> newDefinition) {
        deploy("2", newDefinition);
        restart();
        if (!world().isUp(Trade.PAYMENT)) {
            world().up(Trade.PAYMENT);
        }
        world().settle();
    }

    private void restart() {
        world().restartTracker();
        world().passTime(SagaWorld.BEYOND_LEASE.minusSeconds(1));
        world().passTime(Duration.ofSeconds(1));
        world().work();
    }
}
