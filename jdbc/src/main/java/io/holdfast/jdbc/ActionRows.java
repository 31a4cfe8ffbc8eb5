package io.holdfast.jdbc;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.Receipt;
import io.holdfast.action.Receipt.Stop;
import io.holdfast.action.Receipt.Totals;
import io.holdfast.action.Requester;
import io.holdfast.action.Requester.Via;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps actions to rows, and rows with the totals of their items to receipts. */
final class ActionRows {

    /** Not the receipts whose deletion has begun, and those of kinds that only a later version knows. */
    static final String VISIBLE = "a.state <> 'DELETED' and a.kind in " + ItemRows.KNOWN_KINDS;

    private static final String OF_ACTION = " from holdfast_action_item i where i.action_id = a.action_id";

    /** The totals of one statement belong together, so they add up in every receipt. */
    static final String RECEIPTS =
            "select a.action_id, a.kind, a.target, a.options, a.request_hash, a.operator, a.role,"
                    + " a.reason, a.via_service, a.via_replica, a.via_address, a.requested_at, a.deadline, a.stopped_by,"
                    + " a.stopped_at, a.selected, (select count(*)" + OF_ACTION
                    + " and i.outcome is null) as open_items, "
                    + Stream.of(Outcome.values())
                            .map(outcome -> "(select count(*)" + OF_ACTION + " and i.outcome = '" + outcome.name()
                                    + "') as " + column(outcome))
                            .collect(Collectors.joining(", "))
                    + ", coalesce((select max(i.settled_at)" + OF_ACTION
                    + "), a.requested_at) as ended_at, a.also_handled from holdfast_action a";

    private ActionRows() {}

    private static String column(Outcome outcome) {
        return "n_" + outcome.name().toLowerCase(Locale.ROOT);
    }

    /** @return whether the action was inserted; false if it exists */
    static boolean insert(Connection connection, Database database, Action action) throws SQLException {
        Dialect dialect = database.dialect();
        String text = "cast(? as varchar)";
        String longText = "cast(? as " + dialect.text() + ")";
        String insert = dialect.insertIfAbsent(
                "holdfast_action",
                "action_id, kind, target, options, request_hash, operator, role, reason, via_service, via_replica,"
                        + " via_address, requested_at, deadline, selected",
                "action_id",
                String.join(", ", text, text, text, longText, text, text, text, longText, text, text, text)
                        + ", current_timestamp, " + dialect.fromNow("?") + ", cast(? as integer)");
        return database.insertIfAbsent(connection, insert, statement -> set(statement, action));
    }

    private static void set(PreparedStatement statement, Action action) throws SQLException {
        Requester requester = action.requester();
        Via via = requester.via();
        statement.setString(1, action.id());
        statement.setString(2, action.kind().name());
        statement.setString(3, action.target());
        statement.setString(4, ActionJson.options(action.options()));
        statement.setString(5, action.requestHash());
        statement.setString(6, requester.operator());
        statement.setString(7, requester.role());
        statement.setString(8, requester.reason());
        statement.setString(9, via == null ? null : via.service());
        statement.setString(10, via == null ? null : via.replica());
        statement.setString(11, via == null ? null : via.address());
        statement.setLong(12, Database.microseconds(action.timeToLive()));
        statement.setInt(13, action.items().size());
    }

    static List<Receipt> find(Connection connection, Dialect dialect, Collection<String> actions) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(RECEIPTS + " join unnest(" + dialect.array("varchar")
                + ") as k(id) on a.action_id = k.id where " + VISIBLE)) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar", actions.stream().distinct().toArray(String[]::new)));
            return receipts(query);
        }
    }

    static List<Receipt> receipts(PreparedStatement query) throws SQLException {
        List<Receipt> receipts = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                receipts.add(receipt(row));
            }
        }
        return receipts;
    }

    private static Receipt receipt(ResultSet row) throws SQLException {
        Totals totals = totals(row);
        return new Receipt(
                row.getString("action_id"),
                Kind.valueOf(row.getString("kind")),
                row.getString("target"),
                ActionJson.readOptions(row.getString("options")),
                row.getString("request_hash"),
                requester(row),
                EventColumns.instant(row, "requested_at"),
                EventColumns.instant(row, "deadline"),
                stop(row),
                totals,
                row.getLong("also_handled"),
                totals.open() == 0 ? EventColumns.instant(row, "ended_at") : null);
    }

    private static Totals totals(ResultSet row) throws SQLException {
        Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, row.getLong(column(outcome)));
        }
        return new Totals(row.getLong("selected"), row.getLong("open_items"), outcomes);
    }

    private static Requester requester(ResultSet row) throws SQLException {
        String service = row.getString("via_service");
        return new Requester(
                row.getString("operator"),
                row.getString("role"),
                row.getString("reason"),
                service == null ? null : new Via(service, row.getString("via_replica"), row.getString("via_address")));
    }

    private static @Nullable Stop stop(ResultSet row) throws SQLException {
        String by = row.getString("stopped_by");
        return by == null ? null : new Stop(ActionJson.readRequester(by), EventColumns.instant(row, "stopped_at"));
    }

    /** Marks an action as stopped if it has open items, unless it was stopped before. */
    static void stop(Connection connection, String action, Requester requester) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update holdfast_action set state = 'STOPPED',"
                + " stopped_by = ?, stopped_at = current_timestamp where action_id = ? and state = 'ACTIVE'"
                + " and kind in " + ItemRows.KNOWN_KINDS + " and exists (select 1 from holdfast_action_item i where"
                + " i.action_id = holdfast_action.action_id and i.open_letter is not null)")) {
            update.setString(1, ActionJson.requester(requester));
            update.setString(2, action);
            update.executeUpdate();
        }
    }

    /**
     * Deletes actions without open items that were staged before a time, and their items.
     *
     * @param limit the maximum number of items, and of actions. An action of which items remain is no longer visible
     * @return whether more may be left
     */
    static boolean delete(Connection connection, Dialect dialect, long ageMicroseconds, int limit) throws SQLException {
        int remaining = limit;
        List<String> old = findOld(connection, dialect, ageMicroseconds, limit);
        List<String> deleted = new ArrayList<>();
        for (String action : old) {
            remaining -= deleteItems(connection, action, remaining);
            if (remaining == 0) {
                run(connection, "update holdfast_action set state = 'DELETED' where action_id = ?", List.of(action));
                break;
            }
            deleted.add(action);
        }
        run(connection, "delete from holdfast_action where action_id = ?", deleted);
        return remaining == 0 || old.size() == limit;
    }

    private static List<String> findOld(Connection connection, Dialect dialect, long ageMicroseconds, int limit)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select a.action_id from holdfast_action a"
                + " where a.requested_at < " + dialect.fromNow("?") + " and a.kind in " + ItemRows.KNOWN_KINDS
                + " and not exists (select 1 from holdfast_action_item i where i.action_id = a.action_id and i.open_letter is not null)"
                + " order by a.requested_at, a.action_id limit ?")) {
            query.setLong(1, -ageMicroseconds);
            query.setInt(2, limit);
            List<String> old = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    old.add(row.getString("action_id"));
                }
            }
            return old;
        }
    }

    private static int deleteItems(Connection connection, String action, int limit) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("delete from holdfast_action_item where action_id = ?"
                        + " and item in (select i.item from holdfast_action_item i where i.action_id = ? order by i.item"
                        + " limit ?)")) {
            delete.setString(1, action);
            delete.setString(2, action);
            delete.setInt(3, limit);
            return delete.executeUpdate();
        }
    }

    private static void run(Connection connection, String sql, List<String> actions) throws SQLException {
        Batch.run(connection, sql, actions, (statement, action) -> statement.setString(1, action));
    }
}
