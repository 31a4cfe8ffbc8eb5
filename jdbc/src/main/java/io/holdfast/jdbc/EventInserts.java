package io.holdfast.jdbc;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Inserts events and advances the heads of their streams and of the log, in the fastest way that the database offers.
 */
interface EventInserts {

    String COLUMNS = EventColumns.ALL + ", positioned_at";
    String STREAM_COLUMNS = "stream, outbox, head_position, head_id";

    /** @return false if one of the streams now is of the other kind; the transaction must then not be committed */
    boolean insert(Connection connection, PositionedEvents positioned) throws SQLException;

    static EventInserts of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? EventInserts::byArrays : EventInserts::byBatch;
    }

    /**
     * Runs one statement per table with one array per column. The driver sends them together: one round trip, and one
     * plan each, for any number of rows.
     */
    private static boolean byArrays(Connection connection, PositionedEvents positioned) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into holdfast_event (" + COLUMNS
                + ") select *, cast(? as timestamptz) from unnest(?::uuid[], ?::varchar[], ?::varchar[], ?::varchar[],"
                + " ?::int8[], ?::timestamptz[], ?::varchar[], ?::int4[], ?::text[], ?::text[], ?::int8[], ?::int8[],"
                + " ?::uuid[]);"
                + " insert into holdfast_stream (" + STREAM_COLUMNS + ") select h.s, cast(? as boolean), h.p, h.i"
                + " from unnest(?::varchar[], ?::int8[], ?::uuid[]) as h(s, p, i)"
                + " on conflict (stream) do update set head_position = excluded.head_position, head_id = excluded.head_id"
                + " where holdfast_stream.outbox = excluded.outbox;"
                + LogHead.ADVANCE)) {
            insert.setObject(1, positioned.positionedAtTimestamp());
            Columns<EventMessage> columns = new Columns<>(insert, positioned.events());
            columns.set(2, "uuid", UUID[]::new, EventMessage::id);
            columns.set(3, "varchar", String[]::new, EventMessage::source);
            columns.set(4, "varchar", String[]::new, EventMessage::stream);
            columns.set(5, "varchar", String[]::new, EventMessage::key);
            columns.set(6, "int8", Long[]::new, EventMessage::version);
            columns.set(7, "timestamptz", OffsetDateTime[]::new, event -> EventColumns.timestamp(event.occurredAt()));
            columns.set(8, "varchar", String[]::new, EventMessage::type);
            columns.set(9, "int4", Integer[]::new, event -> event.payload().revision());
            columns.set(10, "text", String[]::new, event -> EventColumns.metadata(event.metadata()));
            columns.set(11, "text", String[]::new, event -> event.payload().json());
            columns.set(12, "int8", Long[]::new, EventMessage::position);
            columns.set(13, "int8", Long[]::new, event -> event.logPosition().previousPosition());
            columns.set(14, "uuid", UUID[]::new, event -> event.logPosition().previousId());
            insert.setBoolean(15, positioned.outbox());
            Columns<StreamHead> heads = new Columns<>(insert, positioned.streamHeads());
            heads.set(16, "varchar", String[]::new, StreamHead::stream);
            heads.set(17, "int8", Long[]::new, StreamHead::position);
            heads.set(18, "uuid", UUID[]::new, StreamHead::id);
            positioned.from().setAdvance(insert, 19, positioned.events().size());
            insert.execute();
            insert.getMoreResults();
            return insert.getUpdateCount() == positioned.streamHeads().size();
        }
    }

    private static boolean byBatch(Connection connection, PositionedEvents positioned) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into holdfast_event (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (EventMessage event : positioned.events()) {
                int next = EventColumns.setContent(insert, 1, event);
                insert.setLong(next++, event.position());
                insert.setLong(next++, event.logPosition().previousPosition());
                insert.setObject(next++, event.logPosition().previousId());
                insert.setObject(next, positioned.positionedAtTimestamp());
                insert.addBatch();
            }
            SqlErrors.executeBatch(insert);
        }
        int[] moved;
        try (PreparedStatement merge = connection.prepareStatement("merge into holdfast_stream t using (values"
                + " (cast(? as varchar), cast(? as boolean), cast(? as bigint), cast(? as uuid))) s (" + STREAM_COLUMNS
                + ") on t.stream = s.stream when matched and t.outbox = s.outbox then update"
                + " set head_position = s.head_position, head_id = s.head_id when not matched then insert ("
                + STREAM_COLUMNS + ") values (s.stream, s.outbox, s.head_position, s.head_id)")) {
            for (StreamHead head : positioned.streamHeads()) {
                merge.setString(1, head.stream());
                merge.setBoolean(2, positioned.outbox());
                merge.setLong(3, head.position());
                merge.setObject(4, head.id());
                merge.addBatch();
            }
            moved = merge.executeBatch();
        }
        positioned.from().advance(connection, positioned.events().size());
        return IntStream.of(moved).allMatch(rows -> rows == 1);
    }

    /** Binds each column of many rows as one typed array: only then does the driver send its values unconverted. */
    record Columns<T>(PreparedStatement statement, Collection<T> rows) {

        <V> void set(int parameter, String type, IntFunction<V[]> array, Function<T, @Nullable V> value)
                throws SQLException {
            V[] values = rows.stream().map(value).toArray(array);
            statement.setArray(parameter, statement.getConnection().createArrayOf(type, values));
        }
    }
}
