package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.StreamPosition;
import io.holdfast.outbox.OutboxEntry;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link UnitTransactions}: application rows of a handler and its commit unit become durable together.
 */
public abstract class UnitTransactionsKit extends StoreKit {

    private static final Segment SEGMENT = new Segment("billing", 0);
    private static final Duration LEASE = Duration.ofMinutes(1);

    private UnitTransactions transactions() {
        return store().unitTransactions();
    }

    private ApplicationRows rows() {
        return harness().applicationRows();
    }

    private TokenClaim claimed() {
        store().tokenStore().initialize(SEGMENT, Map.of("notes", at(0)));
        return store().tokenStore().claim(SEGMENT, "one", LEASE).orElseThrow();
    }

    private StreamPosition at(long position) {
        return new StreamPosition(store().eventLog().identity(), position, null);
    }

    private long version() {
        return store().tokenStore().find(SEGMENT).orElseThrow().version();
    }

    /** Returns a unit with one event and one advance of the token. */
    private UnitWrites unit(TokenClaim claim, long fromVersion, String key) {
        return new UnitWrites(
                List.of(writer().draft("effects", key, 1)),
                List.of(),
                List.of(),
                Optional.of(TokenAdvances.next(claim, fromVersion, Map.of("notes", at(fromVersion + 1)))));
    }

    private List<EventMessage> commit(UnitTransaction transaction, UnitWrites unit) {
        try (CommitSession session = transaction.session()) {
            session.lockHead();
            assertThat(session.write(List.of(unit))).isEmpty();
            return session.commit();
        }
    }

    private List<String> keys() {
        return store().eventLog().readAll(0, 100).stream()
                .map(EventMessage::key)
                .toList();
    }

    private void assertNothingStored() {
        assertThat(rows().read()).isEmpty();
        assertThat(keys()).isEmpty();
        assertThat(version()).isZero();
    }

    @Nested
    class Committing {

        @Test
        void makesApplicationRowsAndUnitVisibleTogether() {
            TokenClaim claim = claimed();

            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "first");
                rows().write(transaction, "second");
                List<EventMessage> events = commit(transaction, unit(claim, 0, "a"));
                assertThat(events).extracting(EventMessage::key).containsExactly("a");
            }

            assertThat(rows().read()).containsExactly("first", "second");
            assertThat(keys()).containsExactly("a");
            assertThat(version()).isEqualTo(1);
        }

        @Test
        void showsNothingBeforeCommit() {
            TokenClaim claim = claimed();
            try (TestThreads threads = new TestThreads();
                    UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                try (CommitSession session = transaction.session()) {
                    session.lockHead();
                    session.write(List.of(unit(claim, 0, "a")));

                    Future<Boolean> seen = threads.run(() -> assertNothingStored());
                    TestThreads.result(seen);
                }
            }
        }

        @Test
        void commitsUnitWithoutApplicationRows() {
            TokenClaim claim = claimed();

            try (UnitTransaction transaction = transactions().begin()) {
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(keys()).containsExactly("a");
        }

        @Test
        void commitsConsecutiveTransactionsOnOneThread() {
            TokenClaim claim = claimed();
            for (int round = 0; round < 3; round++) {
                try (UnitTransaction transaction = transactions().begin()) {
                    rows().write(transaction, "row " + round);
                    commit(transaction, unit(claim, round, "key-" + round));
                }
            }

            assertThat(rows().read()).containsExactly("row 0", "row 1", "row 2");
            assertThat(version()).isEqualTo(3);
        }

        @Test
        void continuesPositionsAndVersionsOfOtherSessions() {
            TokenClaim claim = claimed();
            writer().append("effects", "before", 1);
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                commit(transaction, unit(claim, 0, "a"));
            }
            writer().append("effects", "after", 1);

            assertThat(keys()).containsExactly("before", "a", "after");
            assertThat(store().eventLog().position()).isEqualTo(3);
        }

        @Test
        void endsTransaction() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                commit(transaction, unit(claim, 0, "a"));

                assertThatExceptionOfType(PermanentException.class)
                        .isThrownBy(() -> transaction.session().lockHead());
            }

            assertThat(rows().read()).containsExactly("row");
        }

        @Test
        void blocksNoOtherCommitWhileHandlerRuns() {
            claimed();
            try (TestThreads threads = new TestThreads();
                    UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");

                Future<Boolean> other = threads.run(() -> writer().append("effects", "other", 1));

                assertThat(TestThreads.result(other)).isTrue();
            }
        }

        @Test
        void includesOutboxEntries() {
            TokenClaim claim = claimed();
            NewEvent event = new NewEvent(codec.encode(new Noted("noted")), Metadata.none());

            try (UnitTransaction transaction = transactions().begin()) {
                store().outboxStore().write("orders", "kept", event);
                transaction.savepoint();
                store().outboxStore().write("orders", "kept", event);
                store().outboxStore().write("orders", "later", event);
                transaction.rollbackToSavepoint();
                OutboxEntry second = store().outboxStore().write("orders", "kept", event);
                OutboxEntry first = store().outboxStore().write("orders", "later", event);
                assertThat(second.version()).isEqualTo(2);
                assertThat(first.version()).isEqualTo(1);
                assertThat(store().outboxStore().countUnpositioned()).isZero();
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(store().outboxStore().countUnpositioned()).isEqualTo(3);
            store().outboxStore().assignPositions(10);
            assertThat(keys()).containsExactly("a", "kept", "kept", "later");
        }
    }

    @Nested
    class Rejecting {

        @Test
        void discardsRowsOfUnitWithStaleClaim() {
            TokenClaim stale = claimed();
            claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                try (CommitSession session = transaction.session()) {
                    session.lockHead();
                    assertThat(session.write(List.of(unit(stale, 0, "a"))))
                            .singleElement()
                            .extracting(Rejection::kind)
                            .isEqualTo(Rejection.Kind.REJECTED);
                }
            }

            assertNothingStored();
        }

        @Test
        void discardsRowsOfConflictingUnit() {
            TokenClaim claim = claimed();
            writer().append("effects", "a", 1);
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                try (CommitSession session = transaction.session()) {
                    session.lockHead();
                    assertThat(session.write(List.of(unit(claim, 0, "a")))).hasSize(1);
                }
            }

            assertThat(rows().read()).isEmpty();
            assertThat(version()).isZero();
            assertThat(keys()).containsExactly("a");
        }

        @Test
        void allowsLaterCommits() {
            TokenClaim stale = claimed();
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin();
                    CommitSession session = transaction.session()) {
                session.lockHead();
                assertThat(session.write(List.of(unit(stale, 0, "a")))).hasSize(1);
            }

            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read()).containsExactly("row");
        }
    }

    @Nested
    class Closing {

        @Test
        void discardsRowsWithoutSession() {
            claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
            }

            assertNothingStored();
        }

        @Test
        void discardsRowsOfUncommittedSession() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                try (CommitSession session = transaction.session()) {
                    session.lockHead();
                    session.write(List.of(unit(claim, 0, "a")));
                }
            }

            assertNothingStored();
        }

        @Test
        void releasesHead() {
            claimed();
            try (UnitTransaction transaction = transactions().begin();
                    CommitSession session = transaction.session()) {
                session.lockHead();
            }

            writer().commit(events(writer().draft("effects", "a", 1)));
        }

        @Test
        void isIdempotent() {
            TokenClaim claim = claimed();
            UnitTransaction transaction = transactions().begin();
            rows().write(transaction, "row");
            commit(transaction, unit(claim, 0, "a"));
            transaction.close();

            transaction.close();

            assertThat(rows().read()).containsExactly("row");
        }
    }

    @Nested
    class RollbackToSavepoint {

        @Test
        void undoesWritesSinceSavepoint() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                transaction.savepoint();
                rows().write(transaction, "first");
                transaction.savepoint();
                rows().write(transaction, "second");
                rows().write(transaction, "third");
                transaction.rollbackToSavepoint();
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read()).containsExactly("first");
            assertThat(keys()).containsExactly("a");
        }

        @Test
        void keepsTransactionUsable() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                for (int event = 0; event < 50; event++) {
                    transaction.savepoint();
                    rows().write(transaction, "event " + event);
                    if (event % 2 == 1) {
                        transaction.rollbackToSavepoint();
                    }
                }
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read())
                    .hasSize(25)
                    .startsWith("event 0", "event 2")
                    .endsWith("event 48");
        }

        @Test
        void undoesNothingMoreWhenRepeated() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "first");
                transaction.savepoint();
                rows().write(transaction, "second");
                transaction.rollbackToSavepoint();
                rows().write(transaction, "third");
                transaction.rollbackToSavepoint();
                rows().write(transaction, "fourth");
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read()).containsExactly("first", "fourth");
        }

        @Test
        void worksAfterDatabaseError() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                transaction.savepoint();
                rows().write(transaction, "first");
                transaction.savepoint();
                rows().write(transaction, "second");
                assertThatThrownBy(() -> rows().writeInvalid(transaction)).isInstanceOf(Exception.class);
                transaction.rollbackToSavepoint();
                transaction.savepoint();
                rows().write(transaction, "third");
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read()).containsExactly("first", "third");
            assertThat(version()).isEqualTo(1);
        }
    }

    @Nested
    class Losing {

        @Test
        void failsRollbackToSavepointAndCommit() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "first");
                transaction.savepoint();
                rows().write(transaction, "second");
                assertThatThrownBy(() -> rows().lose(transaction)).isNotInstanceOf(AssertionError.class);

                assertThatExceptionOfType(RetryableException.class).isThrownBy(transaction::rollbackToSavepoint);
                assertThatThrownBy(() -> commit(transaction, unit(claim, 0, "a")))
                        .isInstanceOf(HoldfastException.class);
            }

            assertNothingStored();
        }

        /** A handler may swallow the error. */
        @Test
        void failsNextSavepoint() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "first");
                assertThatThrownBy(() -> rows().lose(transaction)).isNotInstanceOf(AssertionError.class);

                assertThatThrownBy(transaction::savepoint).isInstanceOf(HoldfastException.class);
                assertThatExceptionOfType(RetryableException.class).isThrownBy(transaction::rollbackToSavepoint);
                assertThatThrownBy(() -> commit(transaction, unit(claim, 0, "a")))
                        .isInstanceOf(HoldfastException.class);
            }

            assertNothingStored();
        }

        @Test
        void leavesNextTransactionUsable() {
            TokenClaim claim = claimed();
            for (int round = 0; round < 5; round++) {
                try (UnitTransaction transaction = transactions().begin()) {
                    assertThatThrownBy(() -> rows().lose(transaction)).isNotInstanceOf(AssertionError.class);
                }
            }

            try (UnitTransaction transaction = transactions().begin()) {
                transaction.savepoint();
                rows().write(transaction, "row");
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read()).containsExactly("row");
            assertThat(keys()).containsExactly("a");
        }
    }

    @Nested
    class Resources {

        @Test
        void areRecognizedByIdentity() {
            assertThat(transactions().isBackedBy(rows().resource())).isTrue();
            assertThat(transactions().isBackedBy(new Object())).isFalse();
        }

        @Test
        void areProvidedByType() {
            try (UnitTransaction transaction = transactions().begin()) {
                Object provided = transaction.resource(rows().resourceType());

                assertThat(provided).isInstanceOf(rows().resourceType());
            }
        }

        @Test
        void areRejectedForUnknownTypeWithAvailableType() {
            try (UnitTransaction transaction = transactions().begin()) {
                assertThatExceptionOfType(PermanentException.class)
                        .isThrownBy(() -> transaction.resource(StringBuilder.class))
                        .withMessageContaining(StringBuilder.class.getName())
                        .withMessageContaining(rows().resourceType().getSimpleName());
            }
        }

        @Test
        void doNotAllowHandlerToEndTransaction() {
            TokenClaim claim = claimed();
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "first");
                Map<String, Runnable> forbidden = rows().forbiddenCalls(transaction);
                assertThat(forbidden).isNotEmpty();

                forbidden.forEach(
                        (name, call) -> assertThatThrownBy(call::run).as(name).isInstanceOf(Exception.class));

                assertThat(rows().read()).isEmpty();
                rows().write(transaction, "second");
                commit(transaction, unit(claim, 0, "a"));
            }

            assertThat(rows().read()).containsExactly("first", "second");
        }
    }

    @Nested
    class ConcurrentTransactions {

        @Test
        void areIndependent() {
            int workers = 4;
            for (int worker = 0; worker < workers; worker++) {
                store().tokenStore().initialize(new Segment("worker-" + worker, 0), Map.of("notes", at(0)));
            }

            TestThreads.race(workers, worker -> {
                TokenClaim claim = store().tokenStore()
                        .claim(new Segment("worker-" + worker, 0), "one", LEASE)
                        .orElseThrow();
                try (UnitTransaction transaction = transactions().begin()) {
                    rows().write(transaction, "row " + worker);
                    if (worker % 2 == 0) {
                        commit(transaction, unit(claim, 0, "key-" + worker));
                    }
                }
                return worker;
            });

            assertThat(rows().read()).containsExactlyInAnyOrder("row 0", "row 2");
            assertThat(keys()).containsExactlyInAnyOrder("key-0", "key-2");
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesNothingBeforeCommit() {
            TokenClaim claim = claimed();
            List<CrashPoints.Moment> moments = new ArrayList<>(CrashPoints.Moment.of(
                    CommitPoint.LOCK_HEAD,
                    CommitPoint.WRITE_EVENTS,
                    CommitPoint.WRITE_ROWS,
                    CommitPoint.WRITE_TOKENS,
                    CommitPoint.WRITE_LETTERS,
                    CommitPoint.WRITE_SNAPSHOTS));
            moments.add(new CrashPoints.Moment(CommitPoint.COMMIT, false));
            for (CrashPoints.Moment moment : moments) {
                Crash.at(moment, harness(), () -> run(claim));

                assertThat(rows().read()).as(moment.toString()).isEmpty();
                assertNothingStored();
            }
            run(claim);
            assertThat(rows().read()).containsExactly("row");
        }

        @Test
        void leavesEverythingAfterCommit() {
            TokenClaim claim = claimed();

            Crash.after(CommitPoint.COMMIT, harness(), () -> run(claim));

            assertThat(rows().read()).containsExactly("row");
            assertThat(keys()).containsExactly("a");
            assertThat(version()).isEqualTo(1);
        }

        private void run(TokenClaim claim) {
            try (UnitTransaction transaction = transactions().begin()) {
                rows().write(transaction, "row");
                commit(transaction, unit(claim, 0, "a"));
            }
        }
    }
}
