package io.holdfast.benchmarks;

import io.holdfast.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** Upper bound: inserts over one connection in batches of 64 with one commit each, without callers that wait. */
final class BatchedInserts implements AppendVariant {

    static final int BATCH = 64;

    private final DataSource dataSource;
    private final boolean arrays;
    private final EventRows rows = new EventRows();
    private final LongAdder commits = new LongAdder();

    /** @param arrays whether to pass all rows of a batch as arrays to one statement, instead of a JDBC batch */
    BatchedInserts(DataSource dataSource, boolean arrays) {
        this.dataSource = dataSource;
        this.arrays = arrays;
        JdbcStore.in(Purchases.SERVICE, dataSource).open().close(); // creates the tables
    }

    @Override
    public Caller caller(int number, int callers) {
        try {
            return new InsertingCaller(dataSource.getConnection());
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

        InsertingCaller(Connection connection) throws SQLException {
            this.connection = connection;
            // With autocommit, one statement is one round trip. A JDBC batch needs a commit.
            connection.setAutoCommit(arrays);
            this.insert = connection.prepareStatement(arrays ? EventRows.INSERT_ARRAYS : EventRows.INSERT_ONE);
        }

        @Override
        public int append() {
            List<Object[]> batch = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++) {
                batch.add(rows.row(KeyCounters.randomKey(0, 1)));
            }
            try {
                if (arrays) {
                    EventRows.setArrays(connection, insert, batch);
                    insert.executeUpdate();
                } else {
                    for (Object[] row : batch) {
                        EventRows.set(insert, row);
                        insert.addBatch();
                    }
                    insert.executeBatch();
                    connection.commit();
                }
            } catch (SQLException e) {
                throw Failures.of("inserting a batch", e);
            }
            commits.increment();
            return BATCH;
        }

        @Override
        public void close() {
            try {
                insert.close();
                connection.setAutoCommit(true);
                connection.close();
            } catch (SQLException e) {
                throw Failures.of("closing a connection", e);
            }
        }
    }
}
