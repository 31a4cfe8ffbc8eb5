package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that handlers write in until the committer's session takes it over. Only then is the head locked, so no
 * other commit waits while a handler runs.
 */
final class JdbcUnitTransaction implements UnitTransaction {

    /** Executed when the transaction begins, so that {@link #rollbackToSavepoint} always has a target. */
    static final String CREATE_SAVEPOINT = "savepoint holdfast_savepoint";
    /** Releases the previous savepoint: PostgreSQL would keep a subtransaction for each. */
    private static final String REPLACE_SAVEPOINT = "release " + CREATE_SAVEPOINT + "; " + CREATE_SAVEPOINT;

    private static final String ROLLBACK_TO_SAVEPOINT = "rollback to " + CREATE_SAVEPOINT;

    private final Database database;
    private final JoinedTransaction joined;
    private final JdbcEventLog log;
    private final CommitPoint.Observer points;
    private final Connection guarded;
    private final Consumer<Connection> unbind;
    private boolean hasSession;
    private @Nullable SQLException lost;

    /** @param unbind unbinds the connection from the thread, once handlers must no longer write */
    JdbcUnitTransaction(
            Database database,
            JoinedTransaction joined,
            JdbcEventLog log,
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
        throw new PermanentException("a handler's database transaction provides no " + type.getName() + ", only "
                + Connection.class.getName() + others);
    }

    @Override
    public void savepoint() {
        requireIntact();
        joined.flush();
        try {
            run(REPLACE_SAVEPOINT);
        } catch (SQLException e) {
            throw SqlErrors.of("setting a savepoint in a handler's transaction", e);
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
                    "cannot roll back a handler's writes to the savepoint: SQL state " + e.getSQLState()
                            + "; the whole transaction is rolled back",
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

    /** On a deadlock, H2 rolls back the whole transaction and silently continues in a new one. */
    private void detectLostTransaction(SQLException failure) {
        if (database.dialect() == Dialect.H2 && SqlErrors.isTransactionLost(failure)) {
            lost = failure;
        }
    }

    private void requireIntact() {
        if (lost != null) {
            throw new RetryableException(
                    "the database has rolled back a handler's transaction: SQL state " + lost.getSQLState()
                            + "; none of its writes can be committed",
                    lost);
        }
    }
}
