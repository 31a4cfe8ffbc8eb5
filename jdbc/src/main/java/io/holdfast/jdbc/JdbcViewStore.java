package io.holdfast.jdbc;

import io.holdfast.event.Payload;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Stores rows of views. A removed row remains, without a value, to preserve its version. */
final class JdbcViewStore implements ViewStore {

    private static final String COLUMNS = "r.view_name, r.row_key, r.version, r.value_type, r.revision, r.row_value";

    private final Database database;

    JdbcViewStore(Database database) {
        this.database = database;
    }

    @Override
    public List<Row> find(Collection<RowKey> keys) {
        return keys.isEmpty()
                ? List.of()
                : database.read("reading rows of views", connection -> find(connection, database.dialect(), keys));
    }

    @Override
    public List<Row> page(String view, String afterKey, int limit) {
        return database.read("reading a page of view " + view, connection -> {
            try (PreparedStatement query = connection.prepareStatement("select " + COLUMNS + " from holdfast_row r"
                    + " where r.view_name = ? and r.row_key > ? and r.row_value is not null"
                    + " order by r.row_key limit ?")) {
                query.setString(1, view);
                query.setString(2, afterKey);
                query.setInt(3, limit);
                return rows(query);
            }
        });
    }

    static List<Row> find(Connection connection, Dialect dialect, Collection<RowKey> keys) throws SQLException {
        Set<RowKey> missing = new HashSet<>(keys);
        List<Row> rows = new ArrayList<>(findWritten(connection, dialect, missing));
        rows.forEach(row -> missing.remove(row.key()));
        missing.forEach(key -> rows.add(Row.neverWritten(key)));
        return rows;
    }

    /** Finds rows that exist or were removed. */
    private static List<Row> findWritten(Connection connection, Dialect dialect, Collection<RowKey> keys)
            throws SQLException {
        String wanted = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ") as k(v, r)";
        try (PreparedStatement query = connection.prepareStatement("select " + COLUMNS + " from " + wanted
                + " join holdfast_row r on r.view_name = k.v and r.row_key = k.r")) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar", keys.stream().map(RowKey::view).toArray()));
            query.setArray(
                    2,
                    connection.createArrayOf(
                            "varchar", keys.stream().map(RowKey::key).toArray()));
            return rows(query);
        }
    }

    private static List<Row> rows(PreparedStatement query) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                String value = row.getString("row_value");
                rows.add(new Row(
                        new RowKey(row.getString("view_name"), row.getString("row_key")),
                        row.getLong("version"),
                        value == null
                                ? null
                                : new Payload(row.getString("value_type"), row.getInt("revision"), value)));
            }
        }
        return rows;
    }
}
