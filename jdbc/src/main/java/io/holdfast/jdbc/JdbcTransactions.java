package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions for services without a transaction framework. Work runs on a connection that is bound to the thread, and
 * the outbox joins its transaction. Thread-safe.
 */
public final class JdbcTransactions implements CurrentConnection {

    private final DataSource dataSource;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, so that two of them do not share transactions
    private final ThreadLocal<@Nullable Connection> current = new ThreadLocal<>();

    private final CommitPoint.Observer points;

    /** @param dataSource the {@code DataSource} of the store */
    public JdbcTransactions(DataSource dataSource) {
        this(dataSource, CommitPoint.Observer.NONE);
    }

    /** @param points notified before and after every commit */
    public JdbcTransactions(DataSource dataSource, CommitPoint.Observer points) {
        this.dataSource = dataSource;
        this.points = points;
    }

    /** Runs work in a transaction. Commits when the work returns, rolls back when it throws. */
    public <T> T run(Work<T> work) {
        if (current.get() != null) {
            throw new PermanentException("this thread is already in a transaction");
        }
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            current.set(connection);
            try {
                T result = work.on(connection);
                points.pass(CommitPoint.OUTBOX_COMMIT, connection::commit);
                return result;
            } finally {
                current.remove();
                connection.rollback();
            }
        } catch (SQLException e) {
            throw SqlErrors.of("running a transaction", e);
        }
    }

    @Override
    public Optional<Connection> find() {
        return Optional.ofNullable(current.get());
    }

    /** Work in a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
