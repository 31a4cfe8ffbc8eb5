package io.holdfast.jdbc;

import io.holdfast.event.Payload;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

    @Override
    public List<Row> findDue(String view, Instant now, int limit) {
        return database.read("reading due rows of view " + view, connection -> {
            try (PreparedStatement query = connection.prepareStatement("select " + COLUMNS + " from holdfast_row r"
                    + " where r.view_name = ? and r.due_at <= ? order by r.view_name, r.due_at, r.row_key limit ?")) {
                query.setString(1, view);
                query.setObject(2, EventColumns.timestamp(now));
                query.setInt(3, limit);
                return rows(query);
            }
        });
    }

    @Override
    public Optional<Instant> findNextDue(String view) {
        return database.read("reading the next due row of view " + view, connection -> {
            try (PreparedStatement query = connection.prepareStatement("select due_at from holdfast_row"
                    + " where view_name = ? and due_at is not null order by view_name, due_at limit 1")) {
                query.setString(1, view);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? Optional.of(EventColumns.instant(row, "due_at")) : Optional.empty();
                }
            }
        });
    }

    /**
     * Reads a page of each tag and merges them, so that each can follow the index. The limit is part of the statement: H2
     * keeps using the first value of a parameter that limits a subquery.
     */
    @Override
    public List<Row> findTagged(String view, Collection<String> tags, @Nullable RowCursor after, int limit) {
        List<String> distinct = tags.stream().distinct().toList();
        if (distinct.isEmpty()) {
            return List.of();
        }
        String beforeCursor = after == null ? "" : " and (r.tagged_at, r.row_key) < (?, ?)";
        String page = "(select " + COLUMNS + ", r.tagged_at from holdfast_row r where r.view_name = ? and r.tag = ?"
                + beforeCursor + " order by r.tagged_at desc, r.row_key desc limit " + limit + ")";
        String all = "select * from (" + String.join(" union all ", Collections.nCopies(distinct.size(), page))
                + ") pages order by tagged_at desc, row_key desc limit " + limit;
        return database.read("reading tagged rows of view " + view, connection -> {
            try (PreparedStatement query = connection.prepareStatement(all)) {
                int parameter = 1;
                for (String tag : distinct) {
                    query.setString(parameter++, view);
                    query.setString(parameter++, tag);
                    if (after != null) {
                        query.setObject(parameter++, EventColumns.timestamp(after.at()));
                        query.setString(parameter++, after.key());
                    }
                }
                return rows(query);
            }
        });
    }

    @Override
    public Map<String, String> findTags(String view, Collection<String> keys) {
        if (keys.isEmpty()) {
            return Map.of();
        }
        List<RowKey> wanted = keys.stream().map(key -> new RowKey(view, key)).toList();
        return database.read("reading tags of rows of view " + view, connection -> {
            Map<String, String> tags = new HashMap<>();
            try (PreparedStatement query = select("r.row_key, r.tag", connection, database.dialect(), wanted);
                    ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    if (row.getString(2) != null) {
                        tags.put(row.getString(1), row.getString(2));
                    }
                }
            }
            return tags;
        });
    }

    @Override
    public long count(String view, Collection<String> tags, long limit) {
        if (tags.isEmpty()) {
            return 0;
        }
        String oneOfThem = String.join(", ", Collections.nCopies(tags.size(), "?"));
        return database.read("counting rows of view " + view, connection -> {
            try (PreparedStatement query =
                    connection.prepareStatement("select count(*) from (select 1 from holdfast_row"
                            + " where view_name = ? and tag in (" + oneOfThem + ") limit " + limit + ") counted")) {
                int parameter = 1;
                query.setString(parameter++, view);
                for (String tag : tags) {
                    query.setString(parameter++, tag);
                }
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            }
        });
    }

    /** Runs under the head lock, so that no unit writes a row that is being deleted. */
    @Override
    public int purge(Collection<Row> rows) {
        return rows.isEmpty()
                ? 0
                : database.write("purging rows of views", connection -> {
                    database.lockHead(connection);
                    try (PreparedStatement delete = connection.prepareStatement(
                            "delete from holdfast_row where view_name = ? and row_key = ? and version = ?")) {
                        for (Row row : rows) {
                            delete.setString(1, row.key().view());
                            delete.setString(2, row.key().key());
                            delete.setLong(3, row.version());
                            delete.addBatch();
                        }
                        return IntStream.of(delete.executeBatch()).sum();
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
        try (PreparedStatement query = select(COLUMNS, connection, dialect, keys)) {
            return rows(query);
        }
    }

    /** Finds the versions of rows that exist or were removed. */
    static Map<RowKey, Long> findVersions(Connection connection, Dialect dialect, Collection<RowKey> keys)
            throws SQLException {
        Map<RowKey, Long> versions = new HashMap<>();
        try (PreparedStatement query = select("r.view_name, r.row_key, r.version", connection, dialect, keys);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                versions.put(new RowKey(row.getString(1), row.getString(2)), row.getLong(3));
            }
        }
        return versions;
    }

    private static PreparedStatement select(
            String columns, Connection connection, Dialect dialect, Collection<RowKey> keys) throws SQLException {
        String wanted = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ") as k(v, r)";
        PreparedStatement query = connection.prepareStatement("select " + columns + " from " + wanted
                + " join holdfast_row r on r.view_name = k.v and r.row_key = k.r");
        query.setArray(
                1,
                connection.createArrayOf(
                        "varchar", keys.stream().map(RowKey::view).toArray()));
        query.setArray(
                2,
                connection.createArrayOf(
                        "varchar", keys.stream().map(RowKey::key).toArray()));
        return query;
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
