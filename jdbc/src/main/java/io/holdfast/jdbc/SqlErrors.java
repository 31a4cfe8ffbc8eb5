package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies database errors as retryable or permanent. */
public final class SqlErrors {

    /** Connection, resources, operator intervention, transaction rollback, locks: a retry may succeed. */
    private static final Set<String> RETRYABLE_CLASSES = Set.of("08", "53", "57", "40", "55", "58", "XX");

    /**
     * Invalid data, violated constraint, error raised by a trigger. PostgreSQL checks deferred constraints at the
     * commit, and rolls back if one is violated.
     */
    private static final Set<String> REJECTING_CLASSES = Set.of("22", "23", "P0");

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String TRANSACTION_ROLLBACK_CLASS = "40";
    private static final String CONNECTION_LOST = "08006";
    /**
     * PostgreSQL: the server ended a transaction that was idle or lasted too long, or it is a standby that is not
     * promoted yet. The other states of this class indicate programming errors.
     */
    private static final Set<String> RETRYABLE_TRANSACTION_STATES = Set.of("25P03", "25P04", "25006");
    /** H2: lock timeout, deadlock, database closed, connection closed. */
    private static final Set<String> RETRYABLE_STATES =
            Set.of("HYT00", "40001", "90020", "90098", "90121", "90067", "90007");

    private SqlErrors() {}

    /** @param what the attempted action, without a payload */
    public static HoldfastException of(String what, SQLException e) {
        String message = what + " failed: SQL state " + e.getSQLState() + ", "
                + e.getClass().getSimpleName();
        return isRetryable(e) ? new RetryableException(message, e) : new PermanentException(message, e);
    }

    /** Executes a batch. An {@link Error} would stop the committer permanently, although a new connection suffices. */
    static void executeBatch(PreparedStatement statement) throws SQLException {
        try {
            statement.executeBatch();
        } catch (AssertionError e) { // pgjdbc throws it if the server closes the connection within a batch
            throw new SQLNonTransientConnectionException("the connection was lost during a batch", CONNECTION_LOST, e);
        }
    }

    static boolean isUniqueViolation(SQLException e) {
        for (SQLException next = e; next != null; next = next.getNextException()) {
            if (UNIQUE_VIOLATION.equals(next.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** @return whether the error of a commit is the database's response that it has rolled back */
    static boolean isCommitRejected(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && REJECTING_CLASSES.contains(state.substring(0, 2));
    }

    /** @return whether the database has rolled back the whole transaction, not only the statement */
    static boolean isTransactionLost(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.startsWith(TRANSACTION_ROLLBACK_CLASS);
    }

    private static boolean isRetryable(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || e instanceof SQLNonTransientConnectionException
                || isRetryable(state);
    }

    private static boolean isRetryable(@Nullable String state) {
        return state == null
                || RETRYABLE_STATES.contains(state)
                || RETRYABLE_TRANSACTION_STATES.contains(state)
                || (state.length() == 5 && RETRYABLE_CLASSES.contains(state.substring(0, 2)));
    }
}
