package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.StreamPosition;
import io.holdfast.idempotency.ClaimResult;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.DeadlineReplica;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.ForeignTransaction;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Another application leaves a transaction open in the database of the store: a report, a backup, a forgotten console.
 * It has an old snapshot, and an application row locked. The engine waits for it only where a handler needs that row,
 * and then for a limited time and without the head.
 */
@Timeout(120)
public abstract class ForeignTransactionsKit extends EngineKit {

    private static final String LOCKED = "locked by a report";
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int COMMITS = 50;

    private ForeignTransaction report;

    @BeforeEach
    void beginForeignTransaction() {
        require(Capability.FOREIGN_TRANSACTIONS);
        engine().run(deposit("ann", 1));
        try (UnitTransaction transaction = store().unitTransactions().begin()) {
            harness().applicationRows().write(transaction, LOCKED);
            commitUnit(transaction, "first", 1);
        }
        report = harness().beginForeignTransaction(LOCKED);
    }

    @AfterEach
    void endForeignTransaction() {
        if (report != null) {
            report.close();
        }
    }

    /** Every commit leaves another version of the head that no snapshot may skip. */
    @Test
    void commitsAndReadsContinue() {
        EngineUnderTest other = otherReplica();

        for (int i = 0; i < COMMITS; i++) {
            (i % 2 == 0 ? engine() : other).run(deposit("ann", 1));
        }

        assertThat(engine().balance("ann")).isEqualTo(COMMITS + 1);
        assertThat(other.balance("ann")).isEqualTo(COMMITS + 1);
        assertThat(store().eventLog().readAll(0, 1_000))
                .extracting(EventMessage::position)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(COMMITS + 2);
    }

    @Test
    void outboxEntriesGetPositions() {
        for (int i = 0; i < 10; i++) {
            String key = "order-" + i;
            harness().inTransaction(() -> store().outboxStore().write("rows", key, entry(key)));
            assertThat(store().outboxStore().assignPositions(10)).isEqualTo(1);
        }

        assertThat(store().eventLog().readStream("rows", 0, 100)).hasSize(10);
    }

    @Test
    void segmentsAreClaimedRenewedAndReleased() {
        Segment segment = new Segment("claimed", 0);
        store().tokenStore()
                .initialize(
                        segment,
                        Map.of(
                                "rows",
                                StreamPosition.beginning(store().eventLog().identity())));

        TokenClaim claim = store().tokenStore().claim(segment, "one", LEASE).orElseThrow();
        assertThat(store().tokenStore().renew(List.of(claim), LEASE)).containsExactly(claim);
        store().tokenStore().release(claim);

        assertThat(replica().tokenStore().claim(segment, "two", LEASE)).isPresent();
    }

    @Test
    void lettersAreParkedAndRemoved() {
        SequencedDeadLetterQueue queue = new SequencedDeadLetterQueue(
                store().deadLetterStore(),
                "queue",
                "kit",
                "kit/kit/c",
                QueueLimits.DEFAULT,
                harness().clock());
        EventMessage event = engine().run(deposit("bob", 1)).events().get(0);

        queue.enqueue("bob", event, Cause.of(new IllegalStateException("parked")));
        assertThat(queue.deadLetterSequence("bob")).hasSize(1);
        assertThat(queue.evict(queue.findLetter(event.id()).orElseThrow())).isTrue();

        assertThat(queue.deadLetterSequence("bob")).isEmpty();
    }

    @Test
    void deadlinesFire() {
        engine().run(context -> context.schedule("reminder", "ann", Duration.ZERO, new Noted("late")));

        new DeadlineReplica(store(), engine(), harness().clock()).fire();

        assertThat(store().eventLog().readStream("kit.deadlines", 0, 10)).hasSize(1);
    }

    @Test
    void idempotencyKeysAreClaimed() {
        assertThat(store().idempotencyGuard().claim(new IdempotencyKey("kit", "work"), LEASE))
                .isInstanceOf(ClaimResult.Claimed.class);
    }

    /** The handler fails and can be retried. Meanwhile, the head is free, and other units commit. */
    @Test
    void handlerThatNeedsTheLockedRowDelaysNoCommit() {
        CountDownLatch begun = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            Future<Boolean> waiting = threads.run(() -> {
                try (UnitTransaction transaction = store().unitTransactions().begin()) {
                    transaction.savepoint();
                    begun.countDown();
                    assertThatThrownBy(() -> {
                                harness().applicationRows().overwrite(transaction, LOCKED, "by the handler");
                                transaction.savepoint();
                            })
                            .isInstanceOf(RuntimeException.class);
                    transaction.rollbackToSavepoint(); // the transaction is not lost
                }
            });
            TestThreads.await(begun);

            for (int i = 0; i < 10; i++) {
                engine().run(deposit("ann", 1));
            }
            TestThreads.result(waiting);
        }

        assertThat(engine().balance("ann")).isEqualTo(11);
        assertThat(harness().applicationRows().read()).containsExactly(LOCKED);
    }

    @Test
    void handlerContinuesAfterTheForeignTransaction() {
        report.close();

        try (UnitTransaction transaction = store().unitTransactions().begin()) {
            harness().applicationRows().overwrite(transaction, LOCKED, "by the handler");
            commitUnit(transaction, "second", 1);
        }

        assertThat(harness().applicationRows().read()).containsExactly("by the handler");
    }

    private void commitUnit(UnitTransaction transaction, String key, long version) {
        transaction.savepoint();
        try (CommitSession session = transaction.session()) {
            session.lockHead();
            assertThat(session.write(List.of(events(writer().draft("notes", key, version)))))
                    .isEmpty();
            session.commit();
        }
    }

    private NewEvent entry(String key) {
        return new NewEvent(codec.encode(new Noted(key)), Metadata.none());
    }
}
