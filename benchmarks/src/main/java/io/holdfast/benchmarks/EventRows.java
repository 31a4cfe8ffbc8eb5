package io.holdfast.benchmarks;

import io.holdfast.event.EventIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Rows for direct inserts into the event table: the same columns and indexes, but no checks and no head row. */
final class EventRows {

    private static final String INSERT = "insert into holdfast_event (log_position, event_id, source, stream,"
            + " aggregate_key, key_version, occurred_at, event_type, revision, metadata, payload, previous_position,"
            + " previous_id) ";
    static final String INSERT_ONE = INSERT + "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    static final String INSERT_ARRAYS = INSERT
            + "select * from unnest(?::int8[], ?::uuid[], ?::varchar[], ?::varchar[], ?::varchar[], ?::int8[],"
            + " ?::timestamptz[], ?::varchar[], ?::int4[], ?::text[], ?::text[], ?::int8[], ?::uuid[])";
    private static final String[] TYPES = {
        "int8",
        "uuid",
        "varchar",
        "varchar",
        "varchar",
        "int8",
        "timestamptz",
        "varchar",
        "int4",
        "text",
        "text",
        "int8",
        "uuid"
    };

    private final KeyCounters keys = new KeyCounters();
    private final AtomicLong position = new AtomicLong();

    /** Returns the values of one row, in the order of the columns. */
    Object[] row(int key) {
        long logPosition = position.incrementAndGet();
        long version = keys.nextVersion(key);
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        UUID id = EventIds.random(Instant.now());
        String name = Purchases.key(key);
        return new Object[] {
            logPosition,
            id,
            Purchases.SERVICE,
            Purchases.STREAM,
            name,
            version,
            now,
            "Purchased",
            1,
            "{\"causationId\":\"" + id + "\",\"correlationId\":\"" + id + "\"}",
            Purchases.json(name, version),
            logPosition - 1,
            id
        };
    }

    static void set(PreparedStatement statement, Object[] row) throws SQLException {
        for (int i = 0; i < row.length; i++) {
            statement.setObject(i + 1, row[i]);
        }
    }

    static void setArrays(Connection connection, PreparedStatement statement, List<Object[]> rows) throws SQLException {
        for (int column = 0; column < TYPES.length; column++) {
            Object[] values = new Object[rows.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = rows.get(i)[column];
            }
            statement.setArray(column + 1, connection.createArrayOf(TYPES[column], values));
        }
    }
}
