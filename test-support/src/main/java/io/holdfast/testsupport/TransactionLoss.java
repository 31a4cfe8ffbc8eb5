package io.holdfast.testsupport;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Makes a database end a transaction: PostgreSQL by terminating the session, H2 as after a deadlock. */
public final class TransactionLoss {

    private static final int DEADLOCK = 40001;

    private TransactionLoss() {}

    /** Returns a statement that ends the transaction in which it is executed. */
    public static String prepare(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
                return "select pg_terminate_backend(pg_backend_pid())";
            }
            statement.execute("create alias if not exists lose_transaction for '" + TransactionLoss.class.getName()
                    + ".deadlock'");
            return "call lose_transaction()";
        }
    }

    /** H2 calls it, and rolls back the whole transaction after this error. */
    @SuppressWarnings("DoNotCallSuggester") // only H2 calls it
    public static void deadlock() throws SQLException {
        throw new SQLTransactionRollbackException("simulated deadlock", "40001", DEADLOCK);
    }
}
