package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the status with the table of docs/concepts/sagas.md, for every combination of facts. */
class SagaStatusTests {

    private static final int STEP_COMBINATIONS = 1 << StepFact.values().length;
    private static final int MILESTONE_COMBINATIONS = 1 << 5;
    private static final SagaFact FACT = SagaFact.decided(START, null);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void followsFromEveryCombinationOfFacts(boolean declaresWithdrawal) {
        Map<SagaStatus, Integer> counts = new EnumMap<>(SagaStatus.class);
        for (int order = 0; order < STEP_COMBINATIONS; order++) {
            for (int stock = 0; stock < STEP_COMBINATIONS; stock++) {
                for (int saga = 0; saga < MILESTONE_COMBINATIONS * 4; saga++) {
                    Combination facts = new Combination(facts(order), facts(stock), declaresWithdrawal, saga);

                    SagaStatus status = facts.build().status();

                    if (status != facts.expected()) { // cheaper than an assertion, for 262,144 combinations
                        assertThat(status).as("%s", facts).isEqualTo(facts.expected());
                    }
                    counts.merge(status, 1, Integer::sum);
                }
            }
        }
        assertThat(counts.keySet()).isEqualTo(EnumSet.allOf(SagaStatus.class));
    }

    @Test
    void ofAStepFollowsFromEveryCombinationOfFacts() {
        Map<StepStatus, Integer> counts = new EnumMap<>(StepStatus.class);
        for (int combination = 0; combination < STEP_COMBINATIONS; combination++) {
            Set<StepFact> facts = facts(combination);

            StepStatus status = step(1, facts, true).status();

            assertThat(status).as("%s", facts).isEqualTo(expected(facts));
            counts.merge(status, 1, Integer::sum);
        }
        assertThat(counts.keySet()).isEqualTo(EnumSet.allOf(StepStatus.class));
    }

    private static StepStatus expected(Set<StepFact> facts) {
        Map<StepFact, StepStatus> byPrecedence = new LinkedHashMap<>();
        byPrecedence.put(StepFact.UNDONE, StepStatus.COMPENSATED);
        byPrecedence.put(StepFact.SKIPPED, StepStatus.SKIPPED);
        byPrecedence.put(StepFact.DONE, StepStatus.COMPLETED);
        byPrecedence.put(StepFact.FAILED, StepStatus.FAILED);
        byPrecedence.put(StepFact.WITHDRAWN, StepStatus.WITHDRAWN);
        return byPrecedence.entrySet().stream()
                .filter(entry -> facts.contains(entry.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse(StepStatus.PENDING);
    }

    private static Set<StepFact> facts(int combination) {
        Set<StepFact> facts = EnumSet.noneOf(StepFact.class);
        for (StepFact fact : StepFact.values()) {
            if ((combination & 1 << fact.ordinal()) != 0) {
                facts.add(fact);
            }
        }
        return facts;
    }

    private static SagaStepRecord step(int number, Set<StepFact> facts, boolean declaresWithdrawal) {
        List<String> withdrawals = declaresWithdrawal ? List.of("Withdrawn") : List.of();
        SagaStepRecord step = new SagaStepRecord(
                number,
                "step-" + number,
                "service",
                "Undone",
                withdrawals,
                false,
                0,
                null,
                null,
                null,
                null,
                null,
                null);
        for (StepFact fact : facts) {
            step = step.with(fact, FACT);
        }
        return step;
    }

    /** The rules of the table, written as an operator would check them, without the code's order of evaluation. */
    private record Combination(Set<StepFact> order, Set<StepFact> stock, boolean declaresWithdrawal, int saga) {

        SagaFacts build() {
            List<SagaStepRecord> steps = new ArrayList<>();
            steps.add(step(0, order, false));
            steps.add(step(1, stock, declaresWithdrawal));
            SagaStepRecord last = new SagaStepRecord(
                    2, "step-2", "service", null, List.of(), true, 0, null, null, null, null, null, null);
            steps.add(has(6) ? last.with(StepFact.DONE, FACT) : last);
            SagaMilestones milestones = new SagaMilestones(fact(0), has(1), fact(2), fact(3), fact(4));
            return SagaFacts.of(has(5) ? new SagaStart("o-1", null, Instant.EPOCH) : null, steps, milestones);
        }

        SagaStatus expected() {
            boolean completed = has(0);
            boolean gaveUp = has(4);
            boolean isFailing = order.contains(StepFact.FAILED) || stock.contains(StepFact.FAILED);
            boolean isCompensating = isFailing || order.contains(StepFact.UNDONE) || has(3);
            boolean isAnswered = isAnswered(order, false) && isAnswered(stock, declaresWithdrawal);
            boolean isCompensated = has(1) || (isCompensating && isAnswered);
            if (!has(5)) {
                return SagaStatus.PLACEHOLDER;
            } else if (completed || gaveUp) {
                return completed ? SagaStatus.COMPLETED : SagaStatus.FAILED;
            } else if (isCompensated || isCompensating) {
                return isCompensated ? SagaStatus.COMPENSATED : SagaStatus.COMPENSATING;
            } else if (has(2)) {
                return SagaStatus.TIMED_OUT;
            }
            return stock.contains(StepFact.DONE) || has(6) ? SagaStatus.IN_PROGRESS : SagaStatus.STARTED;
        }

        private static boolean isAnswered(Set<StepFact> facts, boolean declaresWithdrawal) {
            boolean undone = facts.contains(StepFact.UNDONE) || facts.contains(StepFact.SKIPPED);
            boolean refused = facts.contains(StepFact.FAILED) || facts.contains(StepFact.WITHDRAWN);
            return facts.contains(StepFact.DONE) ? undone : undone || refused || !declaresWithdrawal;
        }

        private @Nullable SagaFact fact(int bit) {
            return has(bit) ? FACT : null;
        }

        private boolean has(int bit) {
            return (saga & 1 << bit) != 0;
        }
    }
}
