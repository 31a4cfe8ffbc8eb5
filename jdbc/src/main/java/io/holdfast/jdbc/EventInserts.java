package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts many events at once, the quickest way that the database has. */
interface EventInserts {

    String COLUMNS = EventColumns.ALL + ", placed_at";

    void insert(Connection connection, List<EventMessage> events, @Nullable Instant placedAt) throws SQLException;

    static EventInserts of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? EventInserts::byArrays : EventInserts::byBatch;
    }

    /** One statement with one array per column: one round trip, one plan, however many rows. */
    private static void byArrays(Connection connection, List<EventMessage> events, @Nullable Instant placedAt)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into holdfast_event (" + COLUMNS
                + ") select *, cast(? as timestamptz) from unnest(?::uuid[], ?::varchar[], ?::varchar[], ?::varchar[],"
                + " ?::int8[], ?::timestamptz[], ?::varchar[], ?::int4[], ?::text[], ?::text[], ?::int8[], ?::int8[],"
                + " ?::uuid[])")) {
            insert.setObject(1, placedAt == null ? null : EventColumns.timestamp(placedAt));
            Columns columns = new Columns(insert, events);
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
            insert.executeUpdate();
        }
    }

    private static void byBatch(Connection connection, List<EventMessage> events, @Nullable Instant placedAt)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into holdfast_event (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (EventMessage event : events) {
                int next = EventColumns.setContent(insert, 1, draft(event));
                insert.setLong(next++, event.position());
                insert.setLong(next++, event.place().previousPosition());
                insert.setObject(next++, event.place().previousId());
                insert.setObject(next, placedAt == null ? null : EventColumns.timestamp(placedAt));
                insert.addBatch();
            }
            insert.executeBatch();
        }
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

    /** The columns of many events. */
    record Columns(PreparedStatement statement, List<EventMessage> events) {

        void set(int parameter, String type, Function<EventMessage, @Nullable Object> value) throws SQLException {
            Object[] values = events.stream().map(value).toArray();
            statement.setArray(parameter, statement.getConnection().createArrayOf(type, values));
        }
    }
}
