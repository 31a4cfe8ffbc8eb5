package io.holdfast.benchmarks;

import io.holdfast.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** The naive approach: every caller inserts its row, and each insert is a commit. */
final class PlainInserts implements AppendVariant {

    private final DataSource dataSource;
    private final EventRows rows = new EventRows();
    private final LongAdder commits = new LongAdder();

    PlainInserts(DataSource dataSource) {
        this.dataSource = dataSource;
        JdbcStore.in(Purchases.SERVICE, dataSource).open().close(); // creates the tables
    }

    @Override
    public Caller caller(int number, int callers) {
        try {
            return new InsertingCaller(dataSource.getConnection(), number, callers);
        } catch (SQLException e) {
            throw Failures.of("connecting", e);
        }
    }

    @Override
    public long commits() {
        return commits.sum();
    }

    @Override
    public void warmUp() {}

    @Override
    public void close() {}

    private final class InsertingCaller implements Caller {

        private final Connection connection;
        private final PreparedStatement insert;
        private final int number;
        private final int callers;

        InsertingCaller(Connection connection, int number, int callers) throws SQLException {
            this.connection = connection;
            this.insert = connection.prepareStatement(EventRows.INSERT_ONE);
            this.number = number;
            this.callers = callers;
        }

        @Override
        public int append() {
            try {
                EventRows.set(insert, rows.row(KeyCounters.randomKey(number, callers)));
                insert.executeUpdate();
                commits.increment();
                return 1;
            } catch (SQLException e) {
                throw Failures.of("inserting a row", e);
            }
        }

        @Override
        public void close() {
            try {
                insert.close();
                connection.close();
            } catch (SQLException e) {
                throw Failures.of("closing a connection", e);
            }
        }
    }
}
