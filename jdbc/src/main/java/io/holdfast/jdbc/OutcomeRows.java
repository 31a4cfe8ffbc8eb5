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
import java.sql.SQLException;
import java.util.List;
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

    private OutcomeRows() {}

    /** Requires the head lock. A record of an earlier time when the same event was parked is replaced or removed. */
    static void write(Connection connection, Dialect dialect, LetterWrites letters) throws SQLException {
        List<ResolvedLetter> resolved = ResolvedLetterRows.withActions(connection, dialect, letters.resolved());
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
        ResolvedLetterRows.insert(connection, dialect, resolved);
    }

    private static List<LetterOutcome> outcomes(LetterWrites letters, Predicate<LetterOutcome> which) {
        return letters.outcomes().stream().filter(which).toList();
    }
}
