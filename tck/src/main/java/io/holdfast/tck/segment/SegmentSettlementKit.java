package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.restoredTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.action.Action.Kind;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Receipt;
import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes of segments commit the outcome of an operation together with their effect, or neither. */
public abstract class SegmentSettlementKit extends SegmentsScenario {

    private static final Map<String, StreamPosition> RESET = Map.of("notes", at(1), "lists", at(1));

    private StagedActions operations;

    @BeforeEach
    void stageOperations() {
        operations = new StagedActions(store().actionStore());
    }

    /** A change with its settlement; returns whether it took place. */
    private interface Change {
        boolean in(TokenStore store, Settlement settlement);
    }

    private void assertSettled(CommitPoint point, Change change) {
        assertRejectedOnceSettled(change);
        assertCommittedTogether(point, change);
    }

    private void assertRejectedOnceSettled(Change change) {
        Settlement settlement = operations.operation(Kind.PAUSE, "a");
        operations.refuse(settlement);
        List<Object> before = storedState();

        assertThatExceptionOfType(AlreadySettledException.class)
                .isThrownBy(() -> change.in(tokens(), settlement))
                .withMessageContaining(settlement.action());

        assertThat(storedState()).isEqualTo(before);
    }

    private void assertCommittedTogether(CommitPoint point, Change change) {
        Settlement settlement = operations.operation(Kind.PAUSE, "b");
        List<Object> before = storedState();

        Crash.before(point, harness(), () -> change.in(tokens(), settlement));
        assertThat(operations.isOpen(settlement)).isTrue();
        assertThat(storedState()).isEqualTo(before);

        Crash.after(point, harness(), () -> change.in(tokens(), settlement));
        operations.assertApplied(settlement);
        assertThat(storedState()).isNotEqualTo(before);

        List<Object> after = storedState();
        assertThatExceptionOfType(AlreadySettledException.class).isThrownBy(() -> change.in(tokens(), settlement));
        assertThat(storedState()).as("nothing takes effect twice").isEqualTo(after);
    }

    private void assertStaysOpen(Change change) {
        Settlement settlement = operations.operation(Kind.PAUSE, "c");
        List<Object> before = storedState();

        assertThat(change.in(tokens(), settlement)).isFalse();

        assertThat(operations.isOpen(settlement)).isTrue();
        assertThat(storedState()).isEqualTo(before);
    }

    @Nested
    class Settling {

        @Test
        void pause() {
            initialized(3);

            assertSettled(CommitPoint.TOKEN_PAUSE, (store, settlement) -> {
                store.setPaused(CONSUMER, true, settlement);
                return true;
            });
        }

        @Test
        void definition() {
            initialized(1);
            Settlement settled = operations.operation(Kind.RETIRE, "a");
            operations.refuse(settled);
            ProcessorDefinition before = tokens().findDefinition(CONSUMER);

            assertThatExceptionOfType(AlreadySettledException.class)
                    .isThrownBy(() -> tokens().define(CONSUMER, definition -> definition, settled));
            assertThat(tokens().findDefinition(CONSUMER)).isEqualTo(before);

            Settlement settlement = operations.operation(Kind.RETIRE, "b");
            tokens().define(CONSUMER, definition -> definition, settlement);
            operations.assertApplied(settlement);
        }

        @Test
        void split() {
            initialized(2);
            TokenClaim claim = claimed(0);
            assertStaysOpen(
                    (store, settlement) -> store.split(claim, 4711, settlement).isPresent());

            assertSettled(CommitPoint.TOKEN_SPLIT, (store, settlement) -> store.split(claim, 0, settlement)
                    .isPresent());
        }

        @Test
        void merge() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            assertStaysOpen((store, settlement) -> store.merge(one, 4711, other, 0, settlement));

            assertSettled(CommitPoint.TOKEN_MERGE, (store, settlement) -> store.merge(one, 0, other, 0, settlement));
        }

        @Test
        void release() {
            initialized(1);
            TokenClaim claim = claimed(0);
            TokenClaim stale = new TokenClaim(claim.segment(), claim.owner(), claim.fence() - 1);
            assertStaysOpen((store, settlement) -> store.release(stale, settlement));

            assertSettled(CommitPoint.TOKEN_RELEASE, (store, settlement) -> store.release(claim, settlement));
        }

        @Test
        void reset() {
            initialized(3);
            park(claimed(0), List.of(parked("a", "notes", 1, 2), parked("b", "notes", 3)));
            assertStaysOpen((store, settlement) -> store.reset(CONSUMER, 4711, RESET, settlement));

            assertSettled(CommitPoint.TOKEN_RESET, (store, settlement) -> store.reset(CONSUMER, 1, RESET, settlement));
        }

        @Test
        void acceptedRestore() {
            initialized(3);

            assertSettled(CommitPoint.TOKEN_RESTORE, (store, settlement) -> {
                store.acceptRestore(CONSUMER, "notes", Map.of(START.get("notes"), restoredTo(1)), settlement);
                return true;
            });
        }

        /** The letters that a reset removes are items of its receipt. */
        @Test
        void resetListsTheRemovedLetters() {
            initialized(1);
            park(claimed(0), List.of(parked("a", "notes", 1, 2), parked("b", "notes", 3)));
            Settlement settlement = operations.operation(Kind.RESET, CONSUMER);

            assertThat(tokens().reset(CONSUMER, 1, RESET, settlement)).isTrue();

            Receipt receipt = operations.receipt(settlement.action());
            assertThat(receipt.selected()).isEqualTo(3);
            assertThat(receipt.open()).isZero();
            assertThat(receipt.count(Outcome.APPLIED)).isEqualTo(1);
            assertThat(receipt.count(Outcome.CLEARED)).isEqualTo(2);
            List<LetterOutcome> cleared = StagedActions.outcomes(store().actionStore(), settlement.action());
            assertThat(cleared).extracting(LetterOutcome::outcome).containsExactly(Outcome.CLEARED, Outcome.CLEARED);
            assertThat(cleared).extracting(LetterOutcome::component).containsOnly(COMPONENT);
        }

        /** The segments may have read different histories, if the source has failed over more than once. */
        @Test
        void restoreContinuesFromSeveralPositions() {
            initialized(2);
            advance(claimed(0), Map.of("notes", at(9)), Set.of());
            Settlement settlement = operations.operation(Kind.ACCEPT_RESTORE, "notes");

            tokens().acceptRestore(
                            CONSUMER,
                            "notes",
                            Map.of(at(9), restoredTo(6), START.get("notes"), restoredTo(1)),
                            settlement);

            assertThat(found(0).positions()).containsEntry("notes", restoredTo(6));
            assertThat(found(1).positions()).containsEntry("notes", restoredTo(1));
            operations.assertApplied(settlement);
        }

        @Test
        void concurrentlyOneReplicaAppliesIt() {
            initialized(2);
            TokenStore other = replica().tokenStore();
            for (int round = 0; round < 10; round++) {
                Settlement settlement = operations.operation(Kind.PAUSE, "r" + round);

                List<Boolean> applied = TestThreads.race(4, worker -> {
                    try {
                        (worker % 2 == 0 ? tokens() : other).setPaused(CONSUMER, true, settlement);
                        return true;
                    } catch (AlreadySettledException e) {
                        return false;
                    }
                });

                assertThat(applied).containsOnlyOnce(true);
                operations.assertApplied(settlement);
            }
        }
    }
}
