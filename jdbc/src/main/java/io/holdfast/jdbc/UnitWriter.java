package io.holdfast.jdbc;

import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.Payload;
import io.holdfast.event.Snapshot;
import io.holdfast.jdbc.BulkTable.Column;
import io.holdfast.token.ClaimedToken;
import io.holdfast.view.RowKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes a batch of units, with one statement per table. */
final class UnitWriter {

    private static final BulkTable<RowWrite> ROWS = new BulkTable<>(
            "holdfast_row",
            List.of(
                    new Column<>(
                            "view_name", ColumnType.VARCHAR, row -> row.key().view()),
                    new Column<>("row_key", ColumnType.VARCHAR, row -> row.key().key())),
            List.of(
                    new Column<>("version", ColumnType.INT8, RowWrite::version),
                    new Column<>("value_type", ColumnType.VARCHAR, row -> of(row, Payload::type)),
                    new Column<>("revision", ColumnType.INT4, row -> of(row, Payload::revision)),
                    new Column<>("row_value", ColumnType.TEXT, row -> of(row, Payload::json)),
                    new Column<>("tag", ColumnType.VARCHAR, row -> row.index().tag()),
                    new Column<>(
                            "tagged_at",
                            ColumnType.TIMESTAMPTZ,
                            row -> timestamp(row.index().at())),
                    new Column<>(
                            "due_at",
                            ColumnType.TIMESTAMPTZ,
                            row -> timestamp(row.index().dueAt()))));

    private final Connection connection;
    private final Dialect dialect;

    UnitWriter(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /**
     * Writes the events and advances the heads of their streams and of the log. Every commit advances the head row,
     * even without events.
     *
     * @return false if one of the streams now is of the other kind; the transaction must then not be committed
     */
    boolean events(PositionedEvents positioned) throws SQLException {
        if (positioned.events().isEmpty()) {
            positioned.from().advance(connection, 0);
            return true;
        }
        return EventInserts.of(dialect).insert(connection, positioned);
    }

    void rows(List<UnitWrites> units) throws SQLException {
        Map<RowKey, RowWrite> last = new LinkedHashMap<>();
        units.forEach(unit -> unit.rows().forEach(row -> last.put(row.key(), row)));
        ROWS.upsert(connection, dialect, last.values());
    }

    private static @Nullable Object of(RowWrite row, Function<Payload, Object> column) {
        Payload value = row.value();
        return value == null ? null : column.apply(value);
    }

    private static @Nullable Object timestamp(@Nullable Instant time) {
        return time == null ? null : EventColumns.timestamp(time);
    }

    void tokens(Collection<ClaimedToken> advanced) throws SQLException {
        String update = "update holdfast_token set version = ?, positions = ?, marks = ?" + TokenRows.SEGMENT;
        Batch.run(connection, update, advanced, (statement, claimed) -> {
            statement.setLong(1, claimed.token().version());
            statement.setString(2, PositionJson.write(claimed.token().positions()));
            statement.setString(3, TokenJson.marks(claimed.token().marks()));
            TokenRows.set(statement, 4, claimed.token().segment());
        });
    }

    void snapshots(List<UnitWrites> units) throws SQLException {
        Map<String, Snapshot> last = new LinkedHashMap<>();
        units.forEach(unit ->
                unit.snapshots().forEach(snapshot -> last.put(snapshot.stream() + "\0" + snapshot.key(), snapshot)));
        String upsert = dialect.upsert(
                "holdfast_snapshot",
                "stream, aggregate_key, key_version, last_event_id, state_type, revision, state",
                "stream, aggregate_key",
                "?, ?, ?, ?, ?, ?, ?",
                "key_version = excluded.key_version, last_event_id = excluded.last_event_id, state_type = excluded.state_type,"
                        + " revision = excluded.revision, state = excluded.state");
        Batch.run(connection, upsert, last.values(), (statement, snapshot) -> {
            statement.setString(1, snapshot.stream());
            statement.setString(2, snapshot.key());
            statement.setLong(3, snapshot.version());
            statement.setObject(4, snapshot.lastEvent());
            setPayload(statement, 5, snapshot.state());
        });
    }

    private static void setPayload(PreparedStatement statement, int first, @Nullable Payload payload)
            throws SQLException {
        if (payload == null) {
            statement.setNull(first, Types.VARCHAR);
            statement.setNull(first + 1, Types.INTEGER);
            statement.setNull(first + 2, Types.VARCHAR);
        } else {
            statement.setString(first, payload.type());
            statement.setInt(first + 1, payload.revision());
            statement.setString(first + 2, payload.json());
        }
    }
}
