package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that handlers write in until the committer's session takes it over. The head is taken only then: nobody waits
 * while a handler works.
 */
final class JdbcUnitTransaction implements UnitTransaction {

    /** Made when the transaction begins, so that there is always something to go back to. */
    static final String CREATE_SAVEPOINT = "savepoint holdfast_savepoint";
    /** Replaces the one before: PostgreSQL would keep a subtransaction for each. */
    private static final String REPLACE_SAVEPOINT = "release " + CREATE_SAVEPOINT + "; " + CREATE_SAVEPOINT;

    private static final String ROLLBACK_TO_SAVEPOINT = "rollback to " + CREATE_SAVEPOINT;

    private final Database database;
    private final JoinedTransaction joined;
    private final UUID log;
    private final CommitPoint.Observer points;
    private final Connection guarded;
    private final Consumer<Connection> unbind;
    private boolean hasSession;
    private @Nullable SQLException lost;

    /** @param unbind takes what the thread was given, once it is to write no more */
    JdbcUnitTransaction(
            Database database,
            JoinedTransaction joined,
            UUID log,
            CommitPoint.Observer points,
            Consumer<Connection> unbind) {
        this.database = database;
        this.joined = joined;
        this.log = log;
        this.points = points;
        this.guarded = GuardedConnection.of(joined.connection(), database.dialect(), this::detectLostTransaction);
        this.unbind = unbind;
    }

    Connection guarded() {
        return guarded;
    }

    @Override
    public <T> T resource(Class<T> type) {
        if (type == Connection.class) {
            return type.cast(guarded);
        }
        if (joined.resourceTypes().contains(type)) {
            return joined.resource(type, guarded);
        }
        String others = joined.resourceTypes().stream()
                .map(other -> ", " + other.getName())
                .sorted()
                .collect(Collectors.joining());
        throw new PermanentException("a handler's transaction in a database has no " + type.getName() + ", only "
                + Connection.class.getName() + others);
    }

    @Override
    public void savepoint() {
        requireIntact();
        joined.flush();
        try {
            run(REPLACE_SAVEPOINT);
        } catch (SQLException e) {
            throw SqlErrors.of("marking a place in a handler's transaction", e);
        }
    }

    @Override
    public void rollbackToSavepoint() {
        requireIntact();
        try {
            run(ROLLBACK_TO_SAVEPOINT);
            joined.afterRollbackToSavepoint();
        } catch (SQLException e) {
            throw new RetryableException(
                    "what a handler wrote cannot be undone alone: SQL state " + e.getSQLState()
                            + "; all of its transaction is undone",
                    e);
        }
    }

    @Override
    public CommitSession session() {
        if (hasSession) {
            throw new PermanentException(
                    "the session of this transaction was already opened; begin another transaction");
        }
        requireIntact();
        hasSession = true;
        joined.flush();
        unbind.accept(guarded);
        return new JdbcSession(database, joined, log, points);
    }

    @Override
    public void close() {
        unbind.accept(guarded);
        database.dialect().clearInterrupt();
        joined.close();
    }

    private void run(String sql) throws SQLException {
        database.dialect().clearInterrupt();
        try (Statement statement = joined.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    /** H2 undoes all of a transaction that waits for another in a circle, and goes on in a new one as if nothing had been. */
    private void detectLostTransaction(SQLException failure) {
        if (database.dialect() == Dialect.H2 && SqlErrors.isTransactionLost(failure)) {
            lost = failure;
        }
    }

    private void requireIntact() {
        if (lost != null) {
            throw new RetryableException(
                    "the database has undone a handler's transaction: SQL state " + lost.getSQLState()
                            + "; nothing of it can be committed",
                    lost);
        }
    }
}
