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
        void limitWaiting(Connection connection, Timeouts timeouts) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(limits(timeouts));
            }
        }

        /** The driver sends statements that stand together in one round trip. */
        @Override
        LogHead takeHead(Connection connection, Timeouts timeouts) throws SQLException {
            return LogHead.take(connection, limits(timeouts));
        }

        private String limits(Timeouts timeouts) {
            return "set local lock_timeout = " + timeouts.lock().toMillis()
                    + "; set local idle_in_transaction_session_timeout = "
                    + timeouts.idleInTransaction().toMillis() + "; ";
        }

        @Override
        String microsecondsFromNow() {
            return "current_timestamp + cast(? as bigint) * interval '1 microsecond'";
        }

        @Override
        String array(String type) {
            return "cast(? as " + type + "[])";
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
        void limitWaiting(Connection connection, Timeouts timeouts) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set lock_timeout " + timeouts.lock().toMillis());
            }
        }

        @Override
        LogHead takeHead(Connection connection, Timeouts timeouts) throws SQLException {
            limitWaiting(connection, timeouts);
            return LogHead.take(connection);
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
    abstract void limitWaiting(Connection connection, Timeouts timeouts) throws SQLException;

    /** Limits the waiting of a transaction that begins here and takes the head. */
    abstract LogHead takeHead(Connection connection, Timeouts timeouts) throws SQLException;

    /** A time by the database's clock, as many microseconds away as a parameter says. */
    abstract String microsecondsFromNow();

    /** A parameter that is an array. */
    abstract String array(String type);

    abstract String upsert(String table, String columns, String keys, String values, String updates);

    abstract String insertIfAbsent(String table, String columns, String keys, String values);

    /** An update that gives back a column of the rows that it changed. */
    abstract String returning(String update, String column);
}
