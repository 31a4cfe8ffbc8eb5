package io.holdfast.jdbc;

import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.Payload;
import io.holdfast.event.Snapshot;
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
import org.jspecify.annotations.Nullable;

/** Writes a batch of units, with one statement per table. */
final class UnitWriter {

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
        String upsert = dialect.upsert(
                "holdfast_row",
                "view_name, row_key, version, value_type, revision, row_value, tag, tagged_at, due_at",
                "view_name, row_key",
                "?, ?, ?, ?, ?, ?, ?, ?, ?",
                "version = excluded.version, value_type = excluded.value_type, revision = excluded.revision,"
                        + " row_value = excluded.row_value, tag = excluded.tag, tagged_at = excluded.tagged_at,"
                        + " due_at = excluded.due_at");
        Batch.run(connection, upsert, last.values(), (statement, row) -> {
            statement.setString(1, row.key().view());
            statement.setString(2, row.key().key());
            statement.setLong(3, row.version());
            setPayload(statement, 4, row.value());
            statement.setString(7, row.index().tag());
            setTime(statement, 8, row.index().at());
            setTime(statement, 9, row.index().dueAt());
        });
    }

    private static void setTime(PreparedStatement statement, int parameter, @Nullable Instant time)
            throws SQLException {
        if (time == null) {
            statement.setNull(parameter, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(parameter, EventColumns.timestamp(time));
        }
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
