package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.TEXT;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Writes what became of letters, in the transaction that attempts or removes them: settles the open items of actions, and
 * records how letters were resolved. Sends nothing if no letter was attempted.
 */
final class OutcomeRows {

    private static final BulkTable<LetterOutcome> OPEN_ITEMS = new BulkTable<>(
            "holdfast_action_item",
            List.of(new Column<>(
                    "open_letter", VARCHAR, letter -> ActionRows.openLetter(letter.component(), letter.event()))),
            List.of(
                    new Column<>("outcome", VARCHAR, letter -> letter.outcome().name()),
                    new Column<>("detail", VARCHAR, LetterOutcome::detail),
                    new Column<>("cause", TEXT, letter -> LetterJson.cause(letter.cause())),
                    new Column<>("appended", INT4, LetterOutcome::appended)));

    private static final String SETTLED = ", open_letter = null, settled_at = current_timestamp";

    private static final BulkTable<LetterOutcome> REMOVED = new BulkTable<>(
            "holdfast_resolved_letter",
            List.of(
                    new Column<>("component", VARCHAR, LetterOutcome::component),
                    new Column<>("event_id", UUIDS, LetterOutcome::event)),
            List.of());

    private static final BulkTable<ResolvedLetter> RESOLVED = new BulkTable<>(
            "holdfast_resolved_letter",
            List.of(
                    new Column<>("component", VARCHAR, ResolvedLetter::component),
                    new Column<>("event_id", UUIDS, ResolvedLetter::event)),
            List.of(
                    new Column<>("status", VARCHAR, letter -> letter.status().name()),
                    new Column<>("detail", VARCHAR, ResolvedLetter::detail)));

    private OutcomeRows() {}

    /** Requires the head lock. A record of an earlier time when the same event was parked is replaced or removed. */
    static void write(Connection connection, Dialect dialect, LetterWrites letters) throws SQLException {
        List<LetterOutcome> removed =
                outcomes(letters, letter -> letter.outcome().removesLetter());
        OPEN_ITEMS.update(connection, dialect, removed, SETTLED, "");
        // an attempt that leaves the letter parked does not settle the discard that waits for it
        OPEN_ITEMS.update(
                connection,
                dialect,
                outcomes(letters, letter -> !letter.outcome().removesLetter()),
                SETTLED,
                " and kind = 'REPLAY'");
        REMOVED.delete(connection, dialect, removed);
        RESOLVED.insert(connection, dialect, letters.resolved());
    }

    private static List<LetterOutcome> outcomes(LetterWrites letters, Predicate<LetterOutcome> which) {
        return letters.outcomes().stream().filter(which).toList();
    }

    static Optional<ResolvedLetter> findResolved(Connection connection, String component, UUID event)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "select status, detail from holdfast_resolved_letter where component = ? and event_id = ?")) {
            query.setString(1, component);
            query.setObject(2, event);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? Optional.of(new ResolvedLetter(
                                component,
                                event,
                                ResolvedLetter.Status.valueOf(row.getString("status")),
                                row.getString("detail")))
                        : Optional.empty();
            }
        }
    }

    /** Deletes records that are older than their retention time. */
    static int delete(Connection connection, Dialect dialect, long ageMicroseconds, int limit) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from holdfast_resolved_letter where"
                + " (component, event_id) in (select component, event_id from holdfast_resolved_letter where"
                + " resolved_at < " + dialect.fromNow("?") + " order by resolved_at limit ?)")) {
            delete.setLong(1, -ageMicroseconds);
            delete.setInt(2, limit);
            return delete.executeUpdate();
        }
    }
}
