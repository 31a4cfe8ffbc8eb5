package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.failover.Witnessed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The differences between PostgreSQL and H2. */
enum Dialect {
    POSTGRESQL {
        @Override
        void setTimeouts(Connection connection, Timeouts timeouts) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(limits(timeouts));
            }
        }

        @Override
        void setLockTimeout(Connection connection, Timeouts timeouts, String next) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(begin(timeouts) + "; " + next);
            }
        }

        /** Prepends the limits to the query: the driver sends statements of one string in one round trip. */
        @Override
        LogHead lockHead(Connection connection, Timeouts timeouts, Witnessed witnessed) throws SQLException {
            return lockHeadRow(connection, limits(timeouts), witnessed);
        }

        private String limits(Timeouts timeouts) {
            return begin(timeouts) + "; set local idle_in_transaction_session_timeout = "
                    + timeouts.idleInTransaction().toMillis() + "; ";
        }

        /** The default may be another level, which fails if anything was committed since the first statement. */
        private String begin(Timeouts timeouts) {
            return "set transaction isolation level read committed; set local lock_timeout = "
                    + timeouts.lock().toMillis();
        }

        /** Does nothing: an interrupt does not harm PostgreSQL. */
        @Override
        void clearInterrupt() {}

        @Override
        String masked(String column) {
            return "(" + column + " & ?)";
        }

        @Override
        String text() {
            return "text";
        }

        @Override
        String fromNow(String microseconds) {
            return "current_timestamp + cast(" + microseconds + " as bigint) * interval '1 microsecond'";
        }

        @Override
        String array(String type) {
            return "cast(? as " + type + "[])";
        }

        /** The offset keeps the planner from flattening the subquery, which could scan the table to join a few keys. */
        @Override
        String joinByKeys(String keys, String table, String alias, String condition) {
            return keys + " cross join lateral (select * from " + table + " " + alias + " where " + condition
                    + " offset 0) " + alias;
        }

        @Override
        String leftJoinByKeys(String table, String alias, String condition) {
            return " left join lateral (select * from " + table + " " + alias + " where " + condition + " offset 0) "
                    + alias + " on true";
        }

        @Override
        String upsert(String table, String columns, String keys, String values, String updates) {
            return "insert into " + table + " (" + columns + ") values (" + values + ") on conflict (" + keys
                    + ") do update set " + updates;
        }

        @Override
        String returning(String update, String column) {
            return update + " returning " + column;
        }

        @Override
        String insertIfAbsent(String table, String columns, String keys, String values) {
            return "insert into " + table + " (" + columns + ") values (" + values + ") on conflict (" + keys
                    + ") do nothing";
        }
    },

    H2 {
        @Override
        void setTimeouts(Connection connection, Timeouts timeouts) throws SQLException {
            H2LockTimeout.set(connection, Math.toIntExact(timeouts.lock().toMillis()));
        }

        @Override
        void setLockTimeout(Connection connection, Timeouts timeouts, String next) throws SQLException {
            setTimeouts(connection, timeouts);
            try (Statement statement = connection.createStatement()) {
                statement.execute(next);
            }
        }

        @Override
        void clearInterrupt() {
            Thread.interrupted();
        }

        @Override
        String masked(String column) {
            return "bitand(" + column + ", cast(? as integer))";
        }

        @Override
        String text() {
            return "character large object";
        }

        @Override
        LogHead lockHead(Connection connection, Timeouts timeouts, Witnessed witnessed) throws SQLException {
            setTimeouts(connection, timeouts);
            return lockHeadRow(connection, "", witnessed);
        }

        @Override
        String fromNow(String microseconds) {
            return "dateadd(microsecond, cast(" + microseconds + " as bigint), current_timestamp)";
        }

        @Override
        String array(String type) {
            return "cast(? as " + type + " array)";
        }

        @Override
        String joinByKeys(String keys, String table, String alias, String condition) {
            return keys + " join " + table + " " + alias + " on " + condition;
        }

        @Override
        String leftJoinByKeys(String table, String alias, String condition) {
            return " left join " + table + " " + alias + " on " + condition;
        }

        @Override
        String upsert(String table, String columns, String keys, String values, String updates) {
            return "merge into " + table + " (" + columns + ") key (" + keys + ") values (" + values + ")";
        }

        @Override
        String returning(String update, String column) {
            return "select " + column + " from final table (" + update + ")";
        }

        @Override
        String insertIfAbsent(String table, String columns, String keys, String values) {
            String same = Stream.of(keys.split(", ", -1))
                    .map(name -> "t." + name + " = s." + name)
                    .collect(Collectors.joining(" and "));
            String sources = "s." + columns.replace(", ", ", s.");
            return "merge into " + table + " t using (values (" + values + ")) s (" + columns + ") on " + same
                    + " when not matched then insert (" + columns + ") values (" + sources + ")";
        }
    };

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "h2" -> H2;
            default ->
                throw new PermanentException(
                        "Holdfast requires PostgreSQL or H2, but the DataSource connects to " + product);
        };
    }

    String migrations() {
        return "classpath:io/holdfast/jdbc/" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Limits how long the running transaction waits for a row lock and, on PostgreSQL, how long it may be idle. There, it
     * also sets the isolation level and must be the first statement.
     */
    abstract void setTimeouts(Connection connection, Timeouts timeouts) throws SQLException;

    /**
     * Limits how long the running transaction waits for a row lock. Its idle time is not limited. On PostgreSQL, it also
     * sets the isolation level and must be the first statement.
     *
     * @param next a statement to execute right after
     */
    abstract void setLockTimeout(Connection connection, Timeouts timeouts, String next) throws SQLException;

    /** Clears an interrupt that user code may have set on the thread, because it would make H2 close its file. */
    abstract void clearInterrupt();

    /** @return an expression for the bits of a column that a parameter selects */
    abstract String masked(String column);

    /** @return the type of long texts */
    abstract String text();

    /** Sets the timeouts of a transaction and locks the head row. Only for {@link Database#lockHead}. */
    abstract LogHead lockHead(Connection connection, Timeouts timeouts, Witnessed witnessed) throws SQLException;

    /** @param before statements to execute first, each terminated by a semicolon, none of them a query */
    final LogHead lockHeadRow(Connection connection, String before, Witnessed witnessed) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(before + LogHead.select(this, witnessed) + " for update")) {
            LogHead.setWitnessed(query, witnessed);
            boolean isQuery = query.execute();
            while (!isQuery && query.getUpdateCount() >= 0) {
                isQuery = query.getMoreResults();
            }
            try (ResultSet row = query.getResultSet()) {
                return LogHead.of(row);
            }
        }
    }

    /** @return an expression for the time on the database's clock, plus microseconds */
    abstract String fromNow(String microseconds);

    /**
     * Returns a condition on rows with the column {@code lease_micros}: the lease has expired, or its end is so far
     * ahead that the database's clock was set back since the last renewal. Without the latter, the segments of a dead
     * replica would stay claimed for as long as the clock went back.
     *
     * @param end the column with the end of the lease
     */
    final String leaseExpired(String end) {
        return "(" + end + " <= current_timestamp or " + end + " > " + fromNow("2 * lease_micros") + ")";
    }

    /** @return an expression for an array parameter */
    abstract String array(String type);

    /**
     * Returns a join that looks up the rows of each key in an index, however large the table is.
     *
     * @param keys the table expression that supplies the keys
     * @param condition selects a row by the keys; must be indexed
     */
    abstract String joinByKeys(String keys, String table, String alias, String condition);

    /** As {@link #joinByKeys}, to append to the table expression of the keys. Also returns keys without a row. */
    abstract String leftJoinByKeys(String table, String alias, String condition);

    abstract String upsert(String table, String columns, String keys, String values, String updates);

    abstract String insertIfAbsent(String table, String columns, String keys, String values);

    /** @return an update that returns a column of the rows that it changed */
    abstract String returning(String update, String column);
}
