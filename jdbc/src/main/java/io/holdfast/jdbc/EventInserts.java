package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts events and moves the heads of their streams and of the log, the quickest way that the database has. */
interface EventInserts {

    String COLUMNS = EventColumns.ALL + ", placed_at";
    String STREAM_COLUMNS = "stream, row_kept, head_position, head_id";

    void insert(Connection connection, PlacedEvents placed) throws SQLException;

    static EventInserts of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? EventInserts::byArrays : EventInserts::byBatch;
    }

    /**
     * One statement per table with one array per column, which the driver sends together: one round trip, one plan each,
     * however many rows.
     */
    private static void byArrays(Connection connection, PlacedEvents placed) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into holdfast_event (" + COLUMNS
                + ") select *, cast(? as timestamptz) from unnest(?::uuid[], ?::varchar[], ?::varchar[], ?::varchar[],"
                + " ?::int8[], ?::timestamptz[], ?::varchar[], ?::int4[], ?::text[], ?::text[], ?::int8[], ?::int8[],"
                + " ?::uuid[]);"
                + " insert into holdfast_stream (" + STREAM_COLUMNS + ") select h.s, cast(? as boolean), h.p, h.i"
                + " from unnest(?::varchar[], ?::int8[], ?::uuid[]) as h(s, p, i)"
                + " on conflict (stream) do update set head_position = excluded.head_position, head_id = excluded.head_id;"
                + LogHead.ADVANCE)) {
            insert.setObject(1, placed.placedAtTimestamp());
            Columns<EventMessage> columns = new Columns<>(insert, placed.events());
            columns.set(2, "uuid", EventMessage::id);
            columns.set(3, "varchar", EventMessage::source);
            columns.set(4, "varchar", EventMessage::stream);
            columns.set(5, "varchar", EventMessage::key);
            columns.set(6, "int8", EventMessage::sequence);
            columns.set(7, "timestamptz", event -> EventColumns.timestamp(event.occurredAt()));
            columns.set(8, "varchar", EventMessage::type);
            columns.set(9, "int4", event -> event.payload().revision());
            columns.set(10, "text", event -> EventColumns.metadata(event.metadata()));
            columns.set(11, "text", event -> event.payload().json());
            columns.set(12, "int8", EventMessage::position);
            columns.set(13, "int8", event -> event.place().previousPosition());
            columns.set(14, "uuid", event -> event.place().previousId());
            insert.setBoolean(15, placed.rowKept());
            Columns<StreamHead> heads = new Columns<>(insert, placed.newest());
            heads.set(16, "varchar", StreamHead::stream);
            heads.set(17, "int8", StreamHead::position);
            heads.set(18, "uuid", StreamHead::id);
            placed.from().setAdvance(insert, 19, placed.events().size());
            insert.execute();
        }
    }

    private static void byBatch(Connection connection, PlacedEvents placed) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into holdfast_event (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (EventMessage event : placed.events()) {
                int next = EventColumns.setContent(insert, 1, draft(event));
                insert.setLong(next++, event.position());
                insert.setLong(next++, event.place().previousPosition());
                insert.setObject(next++, event.place().previousId());
                insert.setObject(next, placed.placedAtTimestamp());
                insert.addBatch();
            }
            SqlErrors.executeBatch(insert);
        }
        try (PreparedStatement merge = connection.prepareStatement(
                "merge into holdfast_stream (" + STREAM_COLUMNS + ") key (stream) values (?, ?, ?, ?)")) {
            for (StreamHead head : placed.newest()) {
                merge.setString(1, head.stream());
                merge.setBoolean(2, placed.rowKept());
                merge.setLong(3, head.position());
                merge.setObject(4, head.id());
                merge.addBatch();
            }
            merge.executeBatch();
        }
        placed.from().advance(connection, placed.events().size());
    }

    private static EventDraft draft(EventMessage event) {
        return new EventDraft(
                event.id(),
                event.source(),
                new AggregateKey(event.stream(), event.key()),
                event.sequence(),
                event.occurredAt(),
                event.metadata(),
                event.payload());
    }

    /** The columns of many rows. */
    record Columns<T>(PreparedStatement statement, Collection<T> rows) {

        void set(int parameter, String type, Function<T, @Nullable Object> value) throws SQLException {
            Object[] values = rows.stream().map(value).toArray();
            statement.setArray(parameter, statement.getConnection().createArrayOf(type, values));
        }
    }
}
