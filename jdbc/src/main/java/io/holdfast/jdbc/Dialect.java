package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the two databases differ. */
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
                statement.execute(lockLimit(timeouts) + "; " + next);
            }
        }

        /** The driver sends statements that stand together in one round trip. */
        @Override
        LogHead lockHead(Connection connection, Timeouts timeouts) throws SQLException {
            return LogHead.lock(connection, limits(timeouts));
        }

        private String limits(Timeouts timeouts) {
            return lockLimit(timeouts) + "; set local idle_in_transaction_session_timeout = "
                    + timeouts.idleInTransaction().toMillis() + "; ";
        }

        private String lockLimit(Timeouts timeouts) {
            return "set local lock_timeout = " + timeouts.lock().toMillis();
        }

        /** Nothing happens to it. */
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
        String microsecondsFromNow() {
            return "current_timestamp + cast(? as bigint) * interval '1 microsecond'";
        }

        @Override
        String array(String type) {
            return "cast(? as " + type + "[])";
        }

        /** A subquery with an offset is not merged with the rest, so that no table is read to be joined with a few keys. */
        @Override
        String joinByKeys(String keys, String table, String alias, String condition) {
            return keys + " cross join lateral (select * from " + table + " " + alias + " where " + condition
                    + " offset 0) " + alias;
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
            try (Statement statement = connection.createStatement()) {
                statement.execute("set lock_timeout " + timeouts.lock().toMillis());
            }
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
        LogHead lockHead(Connection connection, Timeouts timeouts) throws SQLException {
            setTimeouts(connection, timeouts);
            return LogHead.lock(connection);
        }

        @Override
        String microsecondsFromNow() {
            return "dateadd(microsecond, ?, current_timestamp)";
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
                        "Holdfast keeps its log in PostgreSQL or H2, but the DataSource leads to " + product);
        };
    }

    String migrations() {
        return "classpath:io/holdfast/jdbc/" + name().toLowerCase(Locale.ROOT);
    }

    /** For the running transaction: how long it waits for a row, and how long it may stand still. */
    abstract void setTimeouts(Connection connection, Timeouts timeouts) throws SQLException;

    /**
     * For the running transaction: how long it waits for a row. It may stand still for as long as it wants.
     *
     * @param next a statement that comes next
     */
    abstract void setLockTimeout(Connection connection, Timeouts timeouts, String next) throws SQLException;

    /** Makes a thread that others may interrupt fit to touch the database: H2 would close its file. */
    abstract void clearInterrupt();

    /** A number of which only the bits of a parameter are left. */
    abstract String masked(String column);

    /** The type of long texts. */
    abstract String text();

    /** Limits the waiting of a transaction that begins here and takes the head. */
    abstract LogHead lockHead(Connection connection, Timeouts timeouts) throws SQLException;

    /** A time by the database's clock, as many microseconds away as a parameter says. */
    abstract String microsecondsFromNow();

    /** A parameter that is an array. */
    abstract String array(String type);

    /**
     * The rows of a table for each key, looked up one by one in an index, however large the table is.
     *
     * @param keys what comes before the table
     * @param condition on a row, by the keys; has an index
     */
    abstract String joinByKeys(String keys, String table, String alias, String condition);

    abstract String upsert(String table, String columns, String keys, String values, String updates);

    abstract String insertIfAbsent(String table, String columns, String keys, String values);

    /** An update that gives back a column of the rows that it changed. */
    abstract String returning(String update, String column);
}
