package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What a database adds to the contract of a handler's transaction. */
@ParameterizedClass
@EnumSource(Dialect.class)
class HandlerTransactionTests {

    private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(7));

    private final Dialect dialect;
    private final TestDatabase database;
    private final JdbcStore store;
    private final JdbcApplicationRows rows;

    HandlerTransactionTests(Dialect dialect) {
        this.dialect = dialect;
        this.database = TestDatabase.acquire(dialect);
        this.store =
                JdbcStore.in("kit", database.dataSource()).timeouts(TIMEOUTS).open();
        this.rows = new JdbcApplicationRows(database.dataSource());
    }

    @AfterEach
    void close() {
        store.close();
        database.release();
    }

    @Test
    void rejectsACommitByTheHandlerWithAnExplanation() {
        try (UnitTransaction transaction = begin()) {
            assertThatThrownBy(() -> transaction.resource(Connection.class).commit())
                    .isInstanceOf(SQLException.class)
                    .hasMessage(
                            "commit was called on the connection of a handler's transaction; only the engine ends it,"
                                    + " together with the position. Leave it open, and throw an exception to roll back");
        }
    }

    @Test
    void namesTheAvailableResourceTypes() {
        try (UnitTransaction transaction = begin()) {
            assertThatThrownBy(() -> transaction.resource(Statement.class))
                    .isInstanceOf(PermanentException.class)
                    .hasMessage("a handler's database transaction provides no java.sql.Statement, only"
                            + " java.sql.Connection");
        }
    }

    @Test
    void allowsHandlersTheirOwnSavepoints() throws SQLException {
        try (UnitTransaction transaction = begin()) {
            transaction.savepoint();
            Connection connection = transaction.resource(Connection.class);
            rows.write(transaction, "kept");
            var savepoint = connection.setSavepoint();
            rows.write(transaction, "rolled back");
            connection.rollback(savepoint);
            commit(transaction);
        }

        assertThat(rows.read()).containsExactly("kept");
    }

    /** A handler may be idle between two statements. A transaction that has locked the head may not. */
    @Test
    void limitsIdleTimeOnlyOnceTheHeadIsLocked() throws SQLException {
        if (dialect == Dialect.H2) {
            return; // has no such limit
        }
        try (UnitTransaction transaction = begin();
                CommitSession session = transaction.session()) {
            Connection connection = transaction.resource(Connection.class);
            assertThat(setting(connection, "lock_timeout")).isEqualTo("3s");
            assertThat(setting(connection, "idle_in_transaction_session_timeout"))
                    .isEqualTo("0");

            session.lockHead();

            assertThat(setting(connection, "idle_in_transaction_session_timeout"))
                    .isEqualTo("7s");
        }
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void doesNotLockTheHeadWhileAHandlerRuns() {
        try (UnitTransaction transaction = begin()) {
            transaction.savepoint();
            rows.write(transaction, "first");

            try (CommitSession other = store.commitStore().open()) {
                other.lockHead();
                other.commit();
            }

            commit(transaction);
        }
        assertThat(rows.read()).containsExactly("first");
    }

    @Test
    void survivesInterruptsByUserCode() {
        try {
            for (int round = 0; round < 50; round++) {
                Thread.currentThread().interrupt();
                try (UnitTransaction transaction = begin()) {
                    interrupted(transaction::savepoint);
                    interrupted(() -> rows.write(transaction, "rolled back"));
                    interrupted(transaction::rollbackToSavepoint);
                    interrupted(() -> rows.write(transaction, "kept"));
                    interrupted(() -> commit(transaction));
                    Thread.currentThread().interrupt();
                }
            }
        } finally {
            Thread.interrupted();
        }

        assertThat(rows.read()).hasSize(50).containsOnly("kept");
        assertThat(store.eventLog().readAll(0, 1)).isEmpty();
    }

    private static void interrupted(Runnable work) {
        Thread.currentThread().interrupt();
        work.run();
    }

    /**
     * PostgreSQL rejects every statement after an error, and H2 rolls back the whole transaction after a deadlock, even
     * if the handler ignores the error.
     */
    @Test
    void isNotPartiallyCommittedAfterASwallowedError() throws Exception {
        try (Connection other = database.dataSource().getConnection();
                Statement others = other.createStatement()) {
            others.execute("insert into handler_row (content) values ('one'), ('two')");
            other.setAutoCommit(false);
            others.execute(update("one")); // H2 rolls back the younger of two transactions
            try (UnitTransaction transaction = begin()) {
                rows.write(transaction, "first");
                transaction.savepoint();
                if (dialect == Dialect.H2) {
                    deadlock(others, transaction.resource(Connection.class));
                } else {
                    assertThatThrownBy(() -> rows.writeInvalid(transaction)).hasMessageContaining("too long");
                }

                assertThatThrownBy(transaction::savepoint)
                        .isInstanceOfAny(RetryableException.class, PermanentException.class);
                if (dialect == Dialect.H2) {
                    assertThatThrownBy(transaction::rollbackToSavepoint).isInstanceOf(RetryableException.class);
                }
                assertThatThrownBy(() -> commit(transaction))
                        .isInstanceOfAny(RetryableException.class, PermanentException.class);
            }
            other.rollback();
        }

        assertThat(rows.read()).doesNotContain("first");
    }

    private void deadlock(Statement others, Connection mine) throws Exception {
        try (Statement statement = mine.createStatement()) {
            statement.execute(update("two"));
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> succeeds(others, "two"));
            awaitWaiting();
            assertThat(succeeds(statement, "one")).isFalse();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String update(String content) {
        return "update handler_row set content = content where content = '" + content + "'";
    }

    private static boolean succeeds(Statement statement, String content) {
        try {
            statement.execute(update(content));
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private void awaitWaiting() {
        String waiting = "select count(*) from information_schema.sessions where blocker_id is not null";
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(waiting)) {
                row.next();
                return row.getInt(1) > 0;
            }
        });
    }

    @Test
    void isBackedOnlyByTheDataSourceOfTheStore() {
        assertThat(store.unitTransactions().isBackedBy(database.dataSource())).isTrue();
        assertThat(store.unitTransactions().isBackedBy(new PGSimpleDataSource()))
                .isFalse();
    }

    private UnitTransaction begin() {
        return store.unitTransactions().begin();
    }

    private static void commit(UnitTransaction transaction) {
        try (CommitSession session = transaction.session()) {
            session.lockHead();
            assertThat(session.write(List.of())).isEmpty();
            session.commit();
        }
    }
}
