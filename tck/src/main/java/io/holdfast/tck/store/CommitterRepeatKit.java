package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.PartResult;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.Metadata;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Noted;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Parts that run again although their events exist. After a reset the events stay, and the rows are updated again. In
 * any other unit, the events prove that the part is done.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class CommitterRepeatKit extends EngineKit {

    private final PartId id = newPartId();

    private Part part(String text, Decision... decisions) {
        return new Part(id, Metadata.none(), List.of(decisions), List.of(set("x", text)), false);
    }

    private RowUpdate<?> set(String key, String text) {
        return new RowUpdate<>(BOARD, key, row -> new Noted(text));
    }

    private UnitOutcome commit(Part... parts) {
        return commit(unit(List.of(parts)).asAfterReset());
    }

    private UnitOutcome commit(CommitUnit unit) {
        CompletableFuture<UnitOutcome> outcome = engine().submit(unit);
        engine().commit();
        return outcome.join();
    }

    private UnitOutcome commitInTransaction(Part part) {
        return commitInTransaction(unit(List.of(part)).asAfterReset());
    }

    private UnitOutcome commitInTransaction(CommitUnit unit) {
        try (UnitTransaction transaction = store().unitTransactions().begin()) {
            harness().applicationRows().write(transaction, "row");
            return engine().committer().commitIn(transaction, unit);
        }
    }

    private static PartResult result(UnitOutcome outcome) {
        return ((UnitOutcome.Committed) outcome).parts().get(0);
    }

    private static Throwable failed(UnitOutcome outcome) {
        return ((UnitOutcome.PartsFailed) outcome)
                .failures()
                .values()
                .iterator()
                .next();
    }

    @Nested
    class AfterReset {

        @BeforeEach
        void commitFirst() {
            assertThat(result(commit(part("old", deposit("a", 10)))).duplicate())
                    .isFalse();
        }

        @Test
        void updateRowsAgainAndKeepEvents() {
            PartResult again = result(commit(part("new", deposit("a", 10))));

            assertThat(row("x")).isEqualTo("new");
            assertThat(again.duplicate()).isTrue();
            assertThat(again.events()).hasSize(1);
            assertThat(store().eventLog().position()).isEqualTo(1);
            assertThat(engine().balance("a")).isEqualTo(10);
            assertThat(token().version()).isEqualTo(2);
        }

        @Test
        void commitNewPartsNextToRepeatedOnes() {
            Part next = new Part(
                    newPartId(), Metadata.none(), List.of(withdraw("a", 10)), List.of(append("x", "+")), false);

            UnitOutcome outcome = commit(part("new", deposit("a", 10)), next);

            assertThat(((UnitOutcome.Committed) outcome).parts())
                    .extracting(PartResult::duplicate)
                    .containsExactly(true, false);
            assertThat(row("x")).as("later parts see the rows of earlier ones").isEqualTo("new+");
            assertThat(engine().balance("a"))
                    .as("later parts see the committed state")
                    .isZero();
        }

        @Test
        void doNotAskAgainForDecisionThatDependsOnState() {
            PartId withdrawal = newPartId();
            commit(new Part(withdrawal, Metadata.none(), List.of(withdraw("a", 10)), List.of(), false));

            UnitOutcome outcome = commit(
                    new Part(withdrawal, Metadata.none(), List.of(withdraw("a", 10)), List.of(set("x", "new")), true));

            assertThat(result(outcome).duplicate())
                    .as("today it would be rejected, but it was accepted then")
                    .isTrue();
            assertThat(row("x")).isEqualTo("new");
            assertThat(store().eventLog().position()).isEqualTo(2);
        }

        @Test
        void failIfPartWouldAppendOtherEventsNow() {
            List<Decision> changed = List.of(
                    context -> {},
                    deposit("b", 10),
                    context -> {
                        context.append(ACCOUNT, "a", new Deposited(10));
                        context.append(ACCOUNT, "a", new Deposited(1));
                    },
                    context -> context.append(ACCOUNT, "a", new Withdrawn(10)));
            for (Decision decision : changed) {
                Throwable failure = failed(commit(part("new", decision).asRepeatable()));

                assertThat(failure)
                        .isInstanceOf(PermanentException.class)
                        .hasMessageContaining("has appended [Deposited to accounts/a] for the event " + id.cause())
                        .hasMessageContaining("would append");
            }
            assertThat(row("x")).isEqualTo("old");
            assertThat(token().version()).isEqualTo(1);
            assertThat(store().eventLog().position()).isEqualTo(1);
        }

        @Test
        void failIfPartIsRejectedWhateverTheState() {
            UnitOutcome outcome = commit(part("new", context -> {
                        throw new IllegalStateException("no longer supported");
                    })
                    .asRepeatable());

            assertThat(failed(outcome)).hasMessage("no longer supported");
            assertThat(row("x")).isEqualTo("old");
        }

        @Test
        void areStaleIfTheyWereCommittedBefore() {
            TokenAdvance advance = advance();
            Part counted =
                    new Part(newPartId(), Metadata.none(), List.of(deposit("a", 1)), List.of(append("y", "1")), false);
            CommitUnit unit = CommitUnit.of(List.of(counted), advance).asAfterReset();
            commit(unit);

            CompletableFuture<UnitOutcome> again = engine().submit(unit);
            engine().commit();

            assertThat(failure(again)).isInstanceOf(StaleTokenException.class);
            assertThat(row("y")).isEqualTo("1");
        }
    }

    @Nested
    class LostOutcomes {

        @Test
        void updateRowsOnce() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            Part counted = new Part(id, Metadata.none(), List.of(deposit("a", 1)), List.of(append("x", "1")), false);

            failing.loseOutcomes(1);
            CompletableFuture<UnitOutcome> result =
                    engine().submit(unit(List.of(counted)).asAfterReset());
            engine().commit();

            assertThat(failure(result)).isInstanceOf(StaleTokenException.class);
            assertThat(row("x")).isEqualTo("1");
            assertThat(token().version()).isEqualTo(1);
            assertThat(store().eventLog().position()).isEqualTo(1);
        }
    }

    @Nested
    class OtherUnits {

        /** For example a letter of an event that was handled before. */
        @Test
        void areDoneWithToken() {
            Part counted = new Part(id, Metadata.none(), List.of(deposit("a", 1)), List.of(append("x", "1")), false);
            commit(unit(List.of(counted)));

            for (Part again : List.of(counted, counted.asRepeatable())) {
                assertThat(result(commit(unit(List.of(again)))).duplicate()).isTrue();
            }
            assertThat(row("x")).isEqualTo("1");
            assertThat(engine().balance("a")).isEqualTo(1);
            assertThat(token().version()).isEqualTo(3);
        }

        @Test
        void areDone() {
            Part first = new Part(id, Metadata.none(), List.of(deposit("a", 1)), List.of(append("x", "1")), true);
            commit(CommitUnit.of(first));

            List<CompletableFuture<UnitOutcome>> again = Stream.generate(() -> engine().submit(CommitUnit.of(first)))
                    .limit(3)
                    .toList();
            engine().commit();

            assertThat(again)
                    .allSatisfy(outcome ->
                            assertThat(result(outcome.join()).duplicate()).isTrue());
            assertThat(row("x")).isEqualTo("1");
            assertThat(engine().balance("a")).isEqualTo(1);
        }
    }

    /** A transaction in which a handler has written application rows. It cannot be repeated without the handler. */
    @Nested
    class Transactions {

        @Test
        void getPastEventsThatExist() {
            assertThat(result(commitInTransaction(part("old", deposit("a", 10))))
                            .duplicate())
                    .isFalse();

            PartResult again = result(commitInTransaction(part("new", deposit("a", 10))));

            assertThat(again.duplicate()).isTrue();
            assertThat(harness().applicationRows().read()).containsExactly("row", "row");
            assertThat(row("x")).isEqualTo("new");
            assertThat(store().eventLog().position()).isEqualTo(1);
            assertThat(token().version()).isEqualTo(2);
        }

        /** A reader that has accepted a restore handles events again, without a reset. */
        @Test
        void getPastEventsThatExistWithoutAReset() {
            commitInTransaction(unit(List.of(part("old", deposit("a", 10)))));

            PartResult again = result(commitInTransaction(unit(List.of(part("new", deposit("a", 10))))));

            assertThat(again.duplicate()).isTrue();
            assertThat(store().eventLog().position()).isEqualTo(1);
            assertThat(token().version()).isEqualTo(2);
        }

        @Test
        void commitAlthoughAnotherReplicaHasChangedTheKey() {
            engine().run(deposit("a", 5));
            otherReplica().run(withdraw("a", 5));

            UnitOutcome outcome = commitInTransaction(part("new", context -> {
                long amount = context.state(ACCOUNT, "a").amount();
                context.append(ACCOUNT, "b", new Deposited(amount));
            }));

            assertThat(result(outcome).events()).hasSize(1);
            assertThat(engine().balance("b")).isZero();
            assertThat(harness().applicationRows().read()).containsExactly("row");
        }
    }
}
