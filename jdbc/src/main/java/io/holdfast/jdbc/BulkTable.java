package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows are written in bulk. PostgreSQL gets one statement with one array per column, planned and executed
 * once for any number of rows. H2 has no round trips and gets a batch.
 *
 * @param keys the columns that identify a row
 * @param others the other columns to write; empty if rows are only deleted
 */
record BulkTable<T>(String name, List<Column<T>> keys, List<Column<T>> others) {

    /** A column, and the function that extracts its value from a row. */
    record Column<T>(String name, ColumnType type, Function<T, @Nullable Object> value) {}

    void insert(Connection connection, Dialect dialect, Collection<T> rows) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            byArrays(connection, insertArrays(), all(), rows);
        } else {
            String parameters = all().stream().map(column -> "?").collect(Collectors.joining(", "));
            String insert = "insert into " + name + " (" + names(all()) + ") values (" + parameters + ")";
            byBatch(connection, insert, all(), rows);
        }
    }

    /** Costs one key lookup more than {@link #insert} if the row does not exist. */
    void upsert(Connection connection, Dialect dialect, Collection<T> rows) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            String updates = others.stream()
                    .map(column -> column.name() + " = excluded." + column.name())
                    .collect(Collectors.joining(", "));
            String upsert = insertArrays() + " on conflict (" + names(keys) + ") do update set " + updates;
            byArrays(connection, upsert, all(), rows);
        } else {
            String parameters = all().stream().map(column -> "?").collect(Collectors.joining(", "));
            String merge = "merge into " + name + " (" + names(all()) + ") key (" + names(keys) + ") values ("
                    + parameters + ")";
            byBatch(connection, merge, all(), rows);
        }
    }

    /**
     * As {@link #upsert(Connection, Dialect, Collection)}, with other changes of the rows that exist. No other transaction
     * may insert concurrently.
     *
     * @param changes the assignments; {@code t} is the existing row, {@code k} the new one
     */
    void upsert(Connection connection, Dialect dialect, Collection<T> rows, String changes) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            String insert = insertArrays().replaceFirst(name, name + " as t");
            String updates = changes.replace("k.", "excluded.");
            byArrays(connection, insert + " on conflict (" + names(keys) + ") do update set " + updates, all(), rows);
        } else {
            String values = all().stream()
                    .map(column -> "cast(? as " + column.type().h2() + ")")
                    .collect(Collectors.joining(", "));
            String inserted = all().stream().map(column -> "k." + column.name()).collect(Collectors.joining(", "));
            String merge = "merge into " + name + " t using (values (" + values + ")) k(" + names(all()) + ") on "
                    + same() + " when matched then update set " + changes + " when not matched then insert ("
                    + names(all()) + ") values (" + inserted + ")";
            byBatch(connection, merge, all(), rows);
        }
    }

    /** Adds the values of the other columns to those of existing rows. */
    void add(Connection connection, Dialect dialect, Collection<T> rows) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            String sums = others.stream()
                    .map(column -> column.name() + " = t." + column.name() + " + k." + column.name())
                    .collect(Collectors.joining(", "));
            byArrays(
                    connection,
                    "update " + name + " t set " + sums + " from " + arrays(all()) + " where " + same(),
                    all(),
                    rows);
        } else {
            String sums = others.stream()
                    .map(column -> column.name() + " = " + column.name() + " + ?")
                    .collect(Collectors.joining(", "));
            byBatch(
                    connection,
                    "update " + name + " set " + sums + where(),
                    Stream.concat(others.stream(), keys.stream()).toList(),
                    rows);
        }
    }

    void update(Connection connection, Dialect dialect, Collection<T> rows) throws SQLException {
        update(connection, dialect, rows, "", "");
    }

    /**
     * As {@link #update(Connection, Dialect, Collection)}.
     *
     * @param also assigns more columns, the same values in all rows, each preceded by a comma; or empty
     * @param condition restricts the rows further, beginning with {@code and}; or empty
     */
    void update(Connection connection, Dialect dialect, Collection<T> rows, String also, String condition)
            throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            String update = "update " + name + " t set " + assigned("k.") + also + " from " + arrays(all()) + " where "
                    + same() + condition;
            byArrays(connection, update, all(), rows);
        } else {
            String assigned =
                    others.stream().map(column -> column.name() + " = ?").collect(Collectors.joining(", "));
            String update = "update " + name + " set " + assigned + also + where() + condition;
            byBatch(
                    connection,
                    update,
                    Stream.concat(others.stream(), keys.stream()).toList(),
                    rows);
        }
    }

    void delete(Connection connection, Dialect dialect, Collection<T> rows) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            byArrays(connection, "delete from " + name + " t using " + arrays(keys) + " where " + same(), keys, rows);
        } else {
            byBatch(connection, "delete from " + name + where(), keys, rows);
        }
    }

    private String insertArrays() {
        return "insert into " + name + " (" + names(all()) + ") select * from " + arrays(all());
    }

    private String assigned(String from) {
        return others.stream()
                .map(column -> column.name() + " = " + from + column.name())
                .collect(Collectors.joining(", "));
    }

    private String same() {
        return keys.stream()
                .map(column -> "t." + column.name() + " = k." + column.name())
                .collect(Collectors.joining(" and "));
    }

    private String where() {
        return keys.stream().map(column -> column.name() + " = ?").collect(Collectors.joining(" and ", " where ", ""));
    }

    private List<Column<T>> all() {
        return Stream.concat(keys.stream(), others.stream()).toList();
    }

    private static <T> String names(List<Column<T>> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private static <T> String arrays(List<Column<T>> columns) {
        return columns.stream()
                        .map(column -> "?::" + column.type().postgresql() + "[]")
                        .collect(Collectors.joining(", ", "unnest(", ")"))
                + " as k(" + names(columns) + ")";
    }

    /** Sends nothing if there are no rows. */
    private static <T> void byArrays(Connection connection, String sql, List<Column<T>> columns, Collection<T> rows)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = 1;
            for (Column<T> column : columns) {
                ColumnType type = column.type();
                @Nullable Object[] values = rows.stream().map(column.value()).toArray(type::array);
                statement.setArray(parameter++, connection.createArrayOf(type.postgresql(), values));
            }
            statement.executeUpdate();
        }
    }

    private static <T> void byBatch(Connection connection, String sql, List<Column<T>> columns, Collection<T> rows)
            throws SQLException {
        Batch.run(connection, sql, rows, (statement, row) -> {
            int parameter = 1;
            for (Column<T> column : columns) {
                statement.setObject(parameter++, column.value().apply(row));
            }
        });
    }
}
