package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Begins handlers' transactions on the store's connections and binds each to its thread, so that the outbox joins it.
 */
final class JdbcUnitTransactions implements UnitTransactions, CurrentConnection {

    private final Database database;
    private final EngineTransactions transactions;
    private final JdbcEventLog log;
    private final CommitPoint.Observer points;

    @SuppressWarnings("ThreadLocalUsage") // one per store, so that two of them do not share transactions
    private final ThreadLocal<@Nullable Connection> current = new ThreadLocal<>();

    JdbcUnitTransactions(
            Database database, EngineTransactions transactions, JdbcEventLog log, CommitPoint.Observer points) {
        this.database = database;
        this.transactions = transactions;
        this.log = log;
        this.points = points;
    }

    @Override
    public boolean isBackedBy(Object resource) {
        return database.isBackedBy(resource) || transactions.isBackedBy(resource);
    }

    @Override
    public OptionalInt capacity() {
        return database.maximumConnections();
    }

    @Override
    public UnitTransaction begin() {
        if (current.get() != null) {
            throw new PermanentException("this thread is already in a transaction");
        }
        database.dialect().clearInterrupt();
        JoinedTransaction joined = transactions.begin();
        try {
            database.setLockTimeout(joined.connection(), JdbcUnitTransaction.CREATE_SAVEPOINT);
        } catch (SQLException e) {
            joined.close();
            throw SqlErrors.of("beginning a handler's transaction", e);
        }
        JdbcUnitTransaction transaction = new JdbcUnitTransaction(database, joined, log, points, this::unbind);
        current.set(transaction.guarded());
        return transaction;
    }

    @Override
    public Optional<Connection> find() {
        return Optional.ofNullable(current.get());
    }

    private void unbind(Connection ended) {
        if (current.get() == ended) {
            current.remove();
        }
    }
}
