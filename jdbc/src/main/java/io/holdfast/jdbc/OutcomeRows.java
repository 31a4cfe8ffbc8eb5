package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.TEXT;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.action.Action.Kind;
import io.holdfast.action.LetterItem;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes what became of letters, in the transaction that attempts or removes them: settles the open items of actions, and
 * records how letters were resolved. Sends nothing if no letter was attempted.
 */
final class OutcomeRows {

    private static final BulkTable<Attempted> OPEN_ITEMS = new BulkTable<>(
            "holdfast_action_item",
            List.of(new Column<>(
                    "open_letter",
                    VARCHAR,
                    letter -> LetterItem.lock(
                            letter.outcome().component(), letter.outcome().event()))),
            List.of(
                    new Column<>("outcome", VARCHAR, letter -> letter.outcome()
                            .outcome()
                            .name()),
                    new Column<>("detail", VARCHAR, letter -> letter.outcome().detail()),
                    new Column<>(
                            "cause",
                            TEXT,
                            letter -> LetterJson.cause(letter.outcome().cause())),
                    new Column<>("appended", INT4, letter -> letter.outcome().appended()),
                    new Column<>("replica", VARCHAR, Attempted::replica)));

    private static final String SETTLED = ", open_letter = null, settled_at = current_timestamp";

    private static final BulkTable<LetterOutcome> REMOVED = new BulkTable<>(
            "holdfast_resolved_letter",
            List.of(
                    new Column<>("component", VARCHAR, LetterOutcome::component),
                    new Column<>("event_id", UUIDS, LetterOutcome::event)),
            List.of());

    /** The items of edits that replay their letters next. */
    private static final BulkTable<LetterOutcome> REPLAYED_NEXT = new BulkTable<>(
            "holdfast_action_item",
            List.of(new Column<>(
                    "open_letter", VARCHAR, letter -> LetterItem.lock(letter.component(), letter.event()))),
            List.of(new Column<>("kind", VARCHAR, letter -> Kind.REPLAY.name())));

    private OutcomeRows() {}

    /** @param replica null if a caller outside of a processor has changed the letter */
    private record Attempted(LetterOutcome outcome, @Nullable String replica) {}

    /**
     * Requires the head lock. A record of an earlier time when the same event was parked is replaced or removed.
     *
     * @param replica the replica that writes the letters; null if it is unknown
     */
    static void write(Connection connection, Dialect dialect, LetterWrites letters, @Nullable String replica)
            throws SQLException {
        List<ResolvedLetter> resolved = ResolvedLetterRows.withActions(connection, dialect, letters.resolved());
        settleEdited(connection, dialect, letters, replica);
        Map<Set<Kind>, List<LetterOutcome>> bySettled = letters.outcomes().stream()
                .filter(letter -> !letter.isReplayedNext())
                .collect(Collectors.groupingBy(OutcomeRows::settled));
        bySettled.remove(Set.of()); // refused without a unit
        for (Map.Entry<Set<Kind>, List<LetterOutcome>> same : bySettled.entrySet()) {
            OPEN_ITEMS.update(
                    connection,
                    dialect,
                    attempted(same.getValue(), replica),
                    SETTLED,
                    " and kind in (" + names(same.getKey()) + ")");
        }
        List<LetterOutcome> removed = letters.outcomes().stream()
                .filter(letter -> letter.outcome().removesLetter() || letter.outcome() == Outcome.RESTORED)
                .toList();
        REMOVED.delete(connection, dialect, removed);
        ResolvedLetterRows.insert(connection, dialect, resolved);
        AlsoHandledRows.add(connection, dialect, resolved);
        LetterOriginalRows.insert(connection, dialect, letters.originals());
        REPLAYED_NEXT.update(
                connection,
                dialect,
                letters.outcomes().stream()
                        .filter(LetterOutcome::isReplayedNext)
                        .toList(),
                "",
                " and " + items(dialect) + ".kind = 'EDIT'");
    }

    private static List<Attempted> attempted(List<LetterOutcome> outcomes, @Nullable String replica) {
        return outcomes.stream().map(outcome -> new Attempted(outcome, replica)).toList();
    }

    /** Returns how an update names the table of items. */
    private static String items(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? "t" : "holdfast_action_item";
    }

    private static void settleEdited(
            Connection connection, Dialect dialect, LetterWrites letters, @Nullable String replica)
            throws SQLException {
        List<LetterOutcome> edited = letters.outcomes().stream()
                .filter(letter -> letter.outcome() == Outcome.NOT_TRIED)
                .map(letter -> new LetterOutcome(
                        letter.component(), letter.event(), Outcome.EDITED, letter.detail(), letter.cause(), 0))
                .toList();
        OPEN_ITEMS.update(
                connection, dialect, attempted(edited, replica), SETTLED, " and " + ItemRows.isEdited(items(dialect)));
    }

    /** Returns the kinds of actions whose items the outcome settles. */
    private static Set<Kind> settled(LetterOutcome letter) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.isSettledBy(letter.outcome()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Kind.class)));
    }

    private static String names(Set<Kind> kinds) {
        return kinds.stream().map(kind -> "'" + kind + "'").collect(Collectors.joining(", "));
    }
}
