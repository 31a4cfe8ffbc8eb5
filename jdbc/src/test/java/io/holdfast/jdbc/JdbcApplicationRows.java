package io.holdfast.jdbc;

import io.holdfast.commit.UnitTransaction;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.testsupport.TransactionLoss;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Application rows of a handler, in a table next to the store's tables. */
final class JdbcApplicationRows implements ApplicationRows {

    static final String TABLE = "handler_row";

    private final DataSource dataSource;

    JdbcApplicationRows(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Object resource() {
        return dataSource;
    }

    @Override
    public Class<?> resourceType() {
        return Connection.class;
    }

    @Override
    public void write(UnitTransaction transaction, String text) {
        attempt(() -> insert(transaction, text));
    }

    @Override
    public void writeInvalid(UnitTransaction transaction) {
        attempt(() -> insert(transaction, "x".repeat(300)));
        throw new AssertionError("the database accepted a value that is too long for its column");
    }

    @Override
    public void overwrite(UnitTransaction transaction, String text, String newText) {
        attempt(() -> {
            try (PreparedStatement update = transaction
                    .resource(Connection.class)
                    .prepareStatement("update " + TABLE + " set content = ? where content = ?")) {
                update.setString(1, newText);
                update.setString(2, text);
                update.executeUpdate();
            }
        });
    }

    private static void insert(UnitTransaction transaction, String text) throws SQLException {
        try (PreparedStatement insert = transaction
                .resource(Connection.class)
                .prepareStatement("insert into " + TABLE + " (content) values (?)")) {
            insert.setString(1, text);
            insert.executeUpdate();
        }
    }

    @Override
    public void lose(UnitTransaction transaction) {
        attempt(() -> {
            try (Statement statement = transaction.resource(Connection.class).createStatement()) {
                statement.execute(TransactionLoss.prepare(dataSource));
            }
        });
        throw new AssertionError("the database did not end the transaction");
    }

    @Override
    public List<String> read() {
        List<String> rows = new ArrayList<>();
        attempt(() -> {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select content from " + TABLE + " order by number")) {
                while (row.next()) {
                    rows.add(row.getString(1));
                }
            }
        });
        return rows;
    }

    @Override
    public Map<String, Runnable> forbiddenCalls(UnitTransaction transaction) {
        Connection given = transaction.resource(Connection.class);
        return Map.of(
                "commit", () -> attempt(given::commit),
                "rollback", () -> attempt(given::rollback),
                "close", () -> attempt(given::close),
                "auto-commit", () -> attempt(() -> given.setAutoCommit(true)),
                "abort", () -> attempt(() -> given.abort(Runnable::run)),
                "commit by way of a statement",
                        () -> attempt(() -> {
                            try (Statement statement = given.createStatement()) {
                                statement.getConnection().commit();
                            }
                        }));
    }

    private static void attempt(Work work) {
        try {
            work.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** A statement that the database may reject. */
    private interface Work {
        void run() throws SQLException;
    }
}
