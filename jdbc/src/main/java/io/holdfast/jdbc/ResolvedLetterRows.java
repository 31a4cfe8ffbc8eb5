package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.BOOL;
import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.action.LetterItem;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Maps resolved letters to rows: the whole letter, and how it was removed. */
final class ResolvedLetterRows {

    private static final Set<String> KEYS = Set.of("component", "event_id");

    private static final List<Column<ResolvedLetter>> RESOLUTION = List.of(
            new Column<>("consumer", VARCHAR, ResolvedLetter::consumer),
            new Column<>("cause_group", VARCHAR, ResolvedLetter::causeGroup),
            new Column<>("escalated", BOOL, ResolvedLetter::escalated),
            new Column<>("status", VARCHAR, letter -> letter.status().name()),
            new Column<>("detail", VARCHAR, ResolvedLetter::detail),
            new Column<>("replay_count", INT4, ResolvedLetter::replayCount),
            new Column<>("action_id", VARCHAR, ResolvedLetter::action),
            new Column<>("next_id", UUIDS, ResolvedLetter::next));

    private static final BulkTable<ResolvedLetter> RESOLVED = new BulkTable<>(
            "holdfast_resolved_letter",
            ofLetter(true).toList(),
            Stream.concat(ofLetter(false), RESOLUTION.stream()).toList());

    private ResolvedLetterRows() {}

    private static Stream<Column<ResolvedLetter>> ofLetter(boolean isKey) {
        return LetterRows.columns().stream()
                .filter(column -> KEYS.contains(column.name()) == isKey)
                .map(column -> new Column<>(
                        column.name(), column.type(), resolved -> column.value().apply(resolved.letter())));
    }

    /**
     * Returns the letters with the actions that have an open item for them. An action that is staged concurrently may be
     * missed: its receipt has the outcome nevertheless.
     */
    static List<ResolvedLetter> withActions(Connection connection, Dialect dialect, List<ResolvedLetter> letters)
            throws SQLException {
        if (letters.isEmpty()) {
            return letters;
        }
        Map<String, String> actions = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement("select i.open_letter, i.action_id from unnest("
                + dialect.array("varchar") + ") as k(l) join holdfast_action_item i on i.open_letter = k.l"
                + " where i.kind in ('REPLAY', 'DISCARD')")) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar",
                            letters.stream().map(ResolvedLetterRows::openLetter).toArray(String[]::new)));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    actions.put(row.getString("open_letter"), row.getString("action_id"));
                }
            }
        }
        return letters.stream()
                .map(letter -> letter.settledBy(actions.get(openLetter(letter))))
                .toList();
    }

    private static String openLetter(ResolvedLetter letter) {
        return LetterItem.lock(letter.component(), letter.event());
    }

    static void insert(Connection connection, Dialect dialect, List<ResolvedLetter> letters) throws SQLException {
        RESOLVED.insert(connection, dialect, letters);
    }

    static Optional<ResolvedLetter> find(Connection connection, String component, UUID event) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select " + LetterRows.COLUMNS
                + ", consumer, cause_group, escalated, status, detail, replay_count, action_id, next_id, resolved_at"
                + " from holdfast_resolved_letter l where l.component = ? and l.event_id = ?")) {
            query.setString(1, component);
            query.setObject(2, event);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(resolved(row)) : Optional.empty();
            }
        }
    }

    private static ResolvedLetter resolved(ResultSet row) throws SQLException {
        DeadLetter letter = LetterRows.letter(row);
        return new ResolvedLetter(
                letter,
                row.getString("consumer"),
                row.getString("cause_group"),
                row.getBoolean("escalated"),
                ResolvedLetter.Status.valueOf(row.getString("status")),
                row.getString("detail"),
                row.getInt("replay_count"),
                row.getString("action_id"),
                row.getObject("next_id", UUID.class),
                EventColumns.instant(row, "resolved_at"));
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
