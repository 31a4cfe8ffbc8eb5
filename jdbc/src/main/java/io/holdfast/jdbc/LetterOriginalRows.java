package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.TEXT;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Maps the payloads that letters had before each edit to rows. */
final class LetterOriginalRows {

    private static final BulkTable<LetterOriginal> ORIGINALS = new BulkTable<>(
            "holdfast_letter_original",
            List.of(
                    new Column<>("component", VARCHAR, LetterOriginal::component),
                    new Column<>("event_id", UUIDS, LetterOriginal::event),
                    new Column<>("action_id", VARCHAR, LetterOriginal::action)),
            List.of(new Column<>("payload", TEXT, LetterOriginal::json)));

    private LetterOriginalRows() {}

    static void insert(Connection connection, Dialect dialect, List<LetterOriginal> originals) throws SQLException {
        ORIGINALS.insert(connection, dialect, originals);
    }

    /** Returns the payloads of a letter, oldest first. */
    static List<LetterOriginal> find(Connection connection, String component, UUID event) throws SQLException {
        Sql sql = new Sql("select o.action_id, o.payload from holdfast_letter_original o where")
                .append(" o.component = ? and o.event_id = ? order by o.edited_at, o.action_id", component, event);
        return EntryRows.query(
                connection,
                sql,
                row -> new LetterOriginal(component, event, row.getString("action_id"), row.getString("payload")));
    }

    /** Deletes the payloads of letters that are neither parked nor resolved any more. */
    static int delete(Connection connection, Dialect dialect, long ageMicroseconds, int limit) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from holdfast_letter_original where"
                + " (component, event_id, action_id) in (select o.component, o.event_id, o.action_id"
                + " from holdfast_letter_original o where o.edited_at < " + dialect.fromNow("?")
                + " and not exists (select 1 from holdfast_letter l where l.component = o.component"
                + " and l.event_id = o.event_id) and not exists (select 1 from holdfast_resolved_letter r"
                + " where r.component = o.component and r.event_id = o.event_id) order by o.edited_at limit ?)")) {
            delete.setLong(1, -ageMicroseconds);
            delete.setInt(2, limit);
            return delete.executeUpdate();
        }
    }
}
