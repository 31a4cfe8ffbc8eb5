package io.holdfast.jdbc;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StoreWriter;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.Segment;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On H2, whatever locks the head goes through the mutex, and releases it when its transaction has ended. */
class H2HeadLockTests {

    private static final Timeouts SHORT = new Timeouts(Duration.ofMillis(50), Duration.ofSeconds(5));
    private static final Timeouts LONG = new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(5));
    private static final Object OTHER = new Object();

    private final TestDatabase database = TestDatabase.acquire(Dialect.H2);
    private final JdbcTransactions transactions = new JdbcTransactions(database.dataSource());
    private final JdbcStore store = open(SHORT);
    private final JdbcStore patient = open(LONG);
    private final H2HeadMutex mutex = H2HeadMutex.of(database.dataSource());

    private JdbcStore open(Timeouts timeouts) {
        return builder(timeouts).open();
    }

    private JdbcStore.Builder builder(Timeouts timeouts) {
        return JdbcStore.in("kit", database.dataSource())
                .transactions(transactions)
                .timeouts(timeouts);
    }

    @BeforeEach
    void fill() {
        store.tokenStore().initialize(new Segment("billing", 0), Map.of());
        NewEvent event = new NewEvent(new PayloadCodec().encode(new Noted("noted")), Metadata.none());
        transactions.run(connection -> store.outboxStore().write("orders", "a", event));
    }

    @AfterEach
    void close() {
        mutex.release(OTHER);
        store.close();
        patient.close();
        database.release();
    }

    /** What locks the head. A store that opens may do so too. */
    enum EntryPoint {
        SESSION {
            @Override
            void run(JdbcStore store) {
                try (CommitSession session = store.commitStore().open()) {
                    session.lockHead();
                }
            }
        },
        HANDLER_SESSION {
            @Override
            void run(JdbcStore store) {
                try (UnitTransaction transaction = store.unitTransactions().begin();
                        CommitSession session = transaction.session()) {
                    session.lockHead();
                }
            }
        },
        LETTER_CHANGE {
            @Override
            void run(JdbcStore store) {
                store.deadLetterStore().change("billing", reads -> LetterWrites.NONE);
            }
        },
        RESET {
            @Override
            void run(JdbcStore store) {
                store.tokenStore().reset("billing", 1, Map.of());
            }
        },
        OUTBOX_POSITIONS {
            @Override
            void run(JdbcStore store) {
                store.outboxStore().assignPositions(10);
            }
        },
        OUTBOX_EVICTION {
            @Override
            void run(JdbcStore store) {
                store.outboxStore().evict("orders", 1, Instant.MAX);
            }
        },
        GROUP_REGISTRATION {
            @Override
            void run(JdbcStore store) {
                store.consumerGroups().register("billing", "orders");
            }
        },
        EPOCH {
            @Override
            void run(JdbcStore store) {
                store.commitStore().raiseEpoch();
            }
        };

        abstract void run(JdbcStore store);
    }

    @ParameterizedTest
    @EnumSource
    void everyEntryPointWaitsForTheMutexAndReleasesIt(EntryPoint entryPoint) throws SQLException {
        mutex.acquire(OTHER, Duration.ZERO);
        assertThatExceptionOfType(RetryableException.class).isThrownBy(() -> entryPoint.run(store));
        mutex.release(OTHER);

        entryPoint.run(store);

        assertFree();
    }

    @ParameterizedTest
    @EnumSource
    void everyEntryPointContinuesWhenTheOtherTransactionHasRolledBack(EntryPoint entryPoint) {
        try (TestThreads threads = new TestThreads()) {
            Future<Boolean> waiting;
            try (CommitSession session = store.commitStore().open()) {
                session.lockHead();
                assertThat(session.write(List.of(events(draft())))).isEmpty();
                waiting = threads.run(() -> entryPoint.run(patient));
                assertThat(TestThreads.completesSoon(waiting)).isFalse();
            }

            assertThat(TestThreads.result(waiting)).isTrue();
            assertFree();
        }
    }

    @Test
    void storeThatClaimsTheLogWaitsForTheMutex() throws SQLException {
        run("update holdfast_log set service = null");
        mutex.acquire(OTHER, Duration.ZERO);
        assertThatExceptionOfType(RetryableException.class).isThrownBy(() -> open(SHORT));
        mutex.release(OTHER);

        open(SHORT).close();

        assertFree();
    }

    @Test
    void commitReleasesBeforeTheSessionIsClosed() {
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            session.lockHead();
            session.write(List.of(events(draft())));
            assertTaken();

            session.commit();

            assertFree();
        }
        assertFree();
    }

    @Test
    void rejectionOfADuplicateReleases() {
        EventDraft draft = draft();
        writer().commit(events(draft));
        EventDraft duplicate = writer().draft(draft.id(), "notes", "b", 1);

        assertThat(writer().rejections(events(duplicate))).isNotEmpty();

        assertFree();
    }

    @Test
    void anotherThreadMayCloseTheSession() {
        CommitSession session = store.commitStore().open();
        session.lockHead();
        assertTaken();

        try (TestThreads threads = new TestThreads()) {
            TestThreads.result(threads.run(session::close));
        }

        assertFree();
    }

    @Test
    void closingAHandlersTransactionReleases() {
        UnitTransaction transaction = store.unitTransactions().begin();
        transaction.session().lockHead();
        assertTaken();

        transaction.close();

        assertFree();
    }

    @Test
    void committedAndFailedLetterChangesRelease() {
        SequenceId id = new SequenceId("kit/billing/mail", "a");
        ParkedSequence sequence = ParkedSequence.start(id, "billing", 7, Instant.EPOCH);
        store.deadLetterStore()
                .change(
                        "billing",
                        reads -> new LetterWrites(List.of(), List.of(), List.of(), List.of(sequence), List.of()));
        assertFree();

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> store.deadLetterStore().change("billing", reads -> {
                    assertTaken();
                    throw new PermanentException("as the test wants");
                }));

        assertFree();
    }

    @Test
    void failureUnderTheLockReleases() {
        CrashPoints points = new CrashPoints();
        try (JdbcStore failing = builder(SHORT).points(points).open()) {
            for (Moment moment : Moment.of(CommitPoint.EPOCH_RAISE)) {
                points.crashAt(moment);
                assertThatExceptionOfType(SimulatedCrash.class)
                        .isThrownBy(() -> failing.commitStore().raiseEpoch());
                assertFree();
            }
        }
    }

    @Test
    void transactionThatCannotLockTheRowReleasesWhenItEnds() throws SQLException {
        try (Connection foreign = database.dataSource().getConnection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("select * from holdfast_log for update");

            assertThatExceptionOfType(RetryableException.class).isThrownBy(() -> EntryPoint.SESSION.run(store));
            assertThatExceptionOfType(RetryableException.class).isThrownBy(() -> EntryPoint.EPOCH.run(store));
            assertFree();
            foreign.rollback();
        }
    }

    private void assertTaken() {
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> mutex.acquire(OTHER, Duration.ZERO));
    }

    private void assertFree() {
        assertThatCode(() -> mutex.acquire(OTHER, Duration.ZERO)).doesNotThrowAnyException();
        mutex.release(OTHER);
    }

    private EventDraft draft() {
        return writer().draft("notes", "a", 1);
    }

    private StoreWriter writer() {
        return new StoreWriter(store.commitStore(), Clock.systemUTC(), new PayloadCodec());
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
