package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.UnitWrites;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.EventType;
import io.holdfast.event.Payload;
import io.holdfast.event.Snapshot;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Balance;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Two versions of a service fold the same keys. A version that cannot fold a key refuses to decide over it, and neither
 * version reads a state that the other one has stored in another shape.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class AggregateVersionsKit extends EngineKit {

    /** The aggregate of {@code Accounts} in a later version: counts its events and knows another event type. */
    private static final AggregateType<CountedBalance> NEW_ACCOUNT = AggregateType.of(
                    "accounts", CountedBalance.class, new CountedBalance(0, 0))
            .on(Deposited.class, (balance, event) -> balance.plus(event.amount()))
            .on(Withdrawn.class, (balance, event) -> balance.plus(-event.amount()))
            .on(Frozen.class, (balance, event) -> balance.plus(0))
            .snapshotEvery(5)
            .build();

    /** Has the name of the class that an older version stores in its snapshots. */
    @EventType("Balance")
    record CountedBalance(long amount, @Nullable Integer events) {

        CountedBalance plus(long more) {
            return new CountedBalance(amount + more, (events == null ? 0 : events) + 1);
        }
    }

    record Frozen(String reason) {}

    @EventType(value = "Deposited", revision = 2)
    record DepositedInCents(long amount) {}

    private static Decision freeze(String account) {
        return context -> context.append(NEW_ACCOUNT, account, new Frozen("audit"));
    }

    @Nested
    class UnknownEventTypes {

        @Test
        void refuseCommandAndLeaveRestOfBatch() {
            newEngine().run(freeze("a"));
            CompletableFuture<CommandResult> refused = engine().submit(deposit("a", 1));
            CompletableFuture<CommandResult> fine = engine().submit(deposit("b", 1));

            engine().commit();

            assertThat(failure(refused))
                    .isInstanceOf(UnsupportedHereException.class)
                    .hasMessage("event 1 of accounts/a has type Frozen, which its aggregate does not know; another"
                            + " version of the service may handle it. Start that version, or add on(…) or"
                            + " ignoring(\"Frozen\") to the aggregate");
            assertThat(fine.join().events()).hasSize(1);
            assertThat(engine().committer().statistics().commits()).isEqualTo(1);
            assertThat(versionOf("a")).isEqualTo(1);
        }

        @Test
        void refuseCommandOnStateThatWasCachedBefore() {
            engine().run(deposit("a", 10));
            newEngine().run(freeze("a"));

            CompletableFuture<CommandResult> refused = engine().submit(deposit("a", 1));
            CompletableFuture<CommandResult> fine = engine().submit(deposit("b", 1));
            engine().commit();

            assertThat(failure(refused)).isInstanceOf(UnsupportedHereException.class);
            assertThat(fine.join().events()).hasSize(1);
            assertThat(versionOf("a")).isEqualTo(2);
        }

        @Test
        void refuseDecisionThatIgnoresTheException() {
            newEngine().run(freeze("a"));
            CompletableFuture<CommandResult> refused = engine().submit(context -> {
                try {
                    context.state(ACCOUNT, "a");
                } catch (RuntimeException e) {
                    context.append(ACCOUNT, "b", new Deposited(1));
                }
            });

            engine().commit();

            assertThat(failure(refused)).isInstanceOf(UnsupportedHereException.class);
            assertThat(versionOf("b")).isZero();
        }

        @Test
        void failOnlyTheirPart() {
            newEngine().run(freeze("a"));
            Part refused = part(deposit("a", 1));
            Part fine = part(deposit("b", 1));
            CompletableFuture<UnitOutcome> first = engine().submit(unit(List.of(refused, fine)));
            engine().commit();

            assertThat(first.join()).isInstanceOfSatisfying(UnitOutcome.PartsFailed.class, failed -> {
                assertThat(failed.failures()).containsOnlyKeys(refused.id());
                assertThat(failed.failures().get(refused.id())).isInstanceOf(UnsupportedHereException.class);
            });
            CompletableFuture<UnitOutcome> rebuilt = engine().submit(unit(List.of(fine)));
            engine().commit();

            assertThat(rebuilt.join()).isInstanceOf(UnitOutcome.Committed.class);
            assertThat(token().version()).isEqualTo(1);
        }

        @Test
        void refuseQuery() {
            newEngine().run(freeze("a"));

            assertThatThrownBy(() -> engine().balance("a")).isInstanceOf(UnsupportedHereException.class);
        }

        @Test
        void doNotAffectTheVersionThatKnowsThem() {
            newEngine().run(freeze("a"));

            assertThat(engine().run(context -> context.append(NEW_ACCOUNT, "a", new Deposited(3)))
                            .events())
                    .hasSize(1);
        }

        /** That is a mistake in this version, and a retry does not help. */
        @Test
        void arePermanentFailureWhenDecisionAppendsThem() {
            CompletableFuture<CommandResult> wrong =
                    engine().submit(context -> context.append(ACCOUNT, "a", new Noted("not an account's event")));

            engine().commit();

            assertThat(failure(wrong))
                    .isInstanceOf(PermanentException.class)
                    .hasNoCause()
                    .hasMessage("a decision appends Noted to accounts/a, but the aggregate does not fold this event"
                            + " type; add on(…) or ignoring(\"Noted\")");
        }
    }

    @Nested
    class HigherRevisions {

        @Test
        void refuseCommand() {
            AggregateType<Balance> inCents = AggregateType.of("accounts", Balance.class, new Balance(0))
                    .on(DepositedInCents.class, (balance, event) -> balance)
                    .build();
            newEngine().run(context -> context.append(inCents, "a", new DepositedInCents(100)));

            CompletableFuture<CommandResult> refused = engine().submit(deposit("a", 1));
            engine().commit();

            assertThat(failure(refused))
                    .isInstanceOf(UnsupportedHereException.class)
                    .hasMessageContaining("event 1 of accounts/a has revision 2 of Deposited, but "
                            + Deposited.class.getName() + " has revision 1");
        }
    }

    @Nested
    class Snapshots {

        @Test
        void ofAnotherShapeAreIgnored() {
            runTimes(7, deposit("a", 10));

            assertThat(newEngine().controller().state(NEW_ACCOUNT, "a")).isEqualTo(new CountedBalance(70, 7));
        }

        @Test
        void ofBothVersionsInTurnYieldTheSameStateAsFullFold() {
            for (int turn = 1; turn <= 3; turn++) {
                runTimes(6, deposit("a", 10));
                runTimes(6, context -> context.append(NEW_ACCOUNT, "a", new Withdrawn(5)));

                assertThat(newEngine().balance("a")).isEqualTo(30L * turn);
                assertThat(newEngine().controller().state(NEW_ACCOUNT, "a"))
                        .isEqualTo(new CountedBalance(30L * turn, 12 * turn));
            }
        }

        @Test
        void ofSameShapeAreUsed() {
            runTimes(5, deposit("a", 10));
            Snapshot stored = snapshot();
            write(new Snapshot(stored.stream(), stored.key(), 5, stored.lastEvent(), wrong(stored)));

            assertThat(newEngine().balance("a")).as("proves that it was read").isEqualTo(1_000);
        }

        /** An earlier release did not record the shape. */
        @Test
        void withoutShapeAreIgnored() {
            runTimes(5, deposit("a", 10));
            write(new Snapshot("accounts", "a", 5, null, codec.encode(new Balance(1_000))));

            assertThat(newEngine().balance("a")).isEqualTo(50);
        }

        private Payload wrong(Snapshot stored) {
            return new Payload(stored.state().type(), stored.state().revision(), "{\"amount\":1000}");
        }

        private Snapshot snapshot() {
            return store().eventLog().findSnapshot("accounts", "a").orElseThrow();
        }

        private void write(Snapshot snapshot) {
            writer().commit(new UnitWrites(List.of(), List.of(), List.of(snapshot), Optional.empty()));
        }

        private void runTimes(int times, Decision decision) {
            EngineUnderTest replica = newEngine();
            for (int i = 0; i < times; i++) {
                replica.run(decision);
            }
        }
    }

    private long versionOf(String account) {
        return store().eventLog().readKey("accounts", account, 0, 100).size();
    }
}
