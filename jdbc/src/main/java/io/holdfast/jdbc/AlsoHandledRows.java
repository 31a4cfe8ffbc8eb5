package io.holdfast.jdbc;

import io.holdfast.deadletter.ResolvedLetter;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the letters that followed the letters of an action. Their number is stored with the action, because their records
 * expire before its receipt, and because a receipt of a million letters must not count them again.
 */
final class AlsoHandledRows {

    private AlsoHandledRows() {}

    /** @param resolved the letters with the actions that have resolved them */
    static void add(Connection connection, Dialect dialect, List<ResolvedLetter> resolved) throws SQLException {
        Map<String, List<ResolvedLetter>> byAction = resolved.stream()
                .filter(letter -> letter.action() != null)
                .collect(Collectors.groupingBy(letter -> Objects.requireNonNull(letter.action())));
        for (Map.Entry<String, List<ResolvedLetter>> action : byAction.entrySet()) {
            add(connection, dialect, action.getKey(), action.getValue());
        }
    }

    private static void add(Connection connection, Dialect dialect, String action, List<ResolvedLetter> letters)
            throws SQLException {
        int followed = count(connection, dialect, action, letters);
        if (followed > 0) {
            try (PreparedStatement update = connection.prepareStatement(
                    "update holdfast_action set also_handled = also_handled + ? where action_id = ?")) {
                update.setInt(1, followed);
                update.setString(2, action);
                update.executeUpdate();
            }
        }
    }

    /** Returns how many of the letters are no items of the action. */
    private static int count(Connection connection, Dialect dialect, String action, List<ResolvedLetter> letters)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select count(*) from unnest("
                + dialect.array("varchar") + ", " + dialect.array("uuid") + ") as k(c, e) where not exists (select 1"
                + " from holdfast_action_item i where i.action_id = ? and i.component = k.c and i.event_id = k.e)")) {
            query.setArray(1, array(connection, "varchar", letters.stream().map(ResolvedLetter::component)));
            query.setArray(2, array(connection, "uuid", letters.stream().map(ResolvedLetter::event)));
            query.setString(3, action);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static Array array(Connection connection, String type, Stream<?> values) throws SQLException {
        return connection.createArrayOf(type, values.toArray());
    }
}
