package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.Receipt;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Maps actions and their items to rows. */
final class ActionRows {

    private static final BulkTable<NewItem> ITEMS = new BulkTable<>(
            "holdfast_action_item",
            List.of(new Column<>("action_id", VARCHAR, NewItem::action), new Column<>("item", INT4, NewItem::number)),
            List.of(
                    new Column<>("kind", VARCHAR, item -> item.kind().name()),
                    new Column<>("component", VARCHAR, item -> item.item().component()),
                    new Column<>("event_id", UUIDS, item -> item.item().event()),
                    new Column<>(
                            "sequence", VARCHAR, item -> item.item().sequence().sequence()),
                    new Column<>("consumer", VARCHAR, item -> item.item().consumer()),
                    new Column<>("hash", INT4, item -> item.item().hash()),
                    new Column<>("open_letter", VARCHAR, NewItem::openLetter)));

    private static final String ITEM = "i.item, i.kind, i.component, i.event_id, i.sequence, i.consumer, i.hash";

    private ActionRows() {}

    private record NewItem(String action, int number, Kind kind, Action.Item item) {

        String openLetter() {
            return ActionRows.openLetter(item.component(), item.event());
        }
    }

    /** Returns the text that locks a letter while one of its items is open. */
    static String openLetter(String component, UUID event) {
        return event + "~" + component;
    }

    /** @return whether the action was inserted; false if it exists */
    static boolean insert(Connection connection, Database database, Action action) throws SQLException {
        Dialect dialect = database.dialect();
        String insert = dialect.insertIfAbsent(
                "holdfast_action",
                "action_id, kind, request_hash, operator, requested_at, deadline, selected",
                "action_id",
                "cast(? as varchar), cast(? as varchar), cast(? as varchar), cast(? as varchar), current_timestamp, "
                        + dialect.fromNow("?") + ", cast(? as integer)");
        return database.insertIfAbsent(connection, insert, statement -> {
            statement.setString(1, action.id());
            statement.setString(2, action.kind().name());
            statement.setString(3, action.requestHash());
            statement.setString(4, action.operator());
            statement.setLong(5, Database.microseconds(action.timeToLive()));
            statement.setInt(6, action.items().size());
        });
    }

    /**
     * Inserts the items, in the same order as all other transactions, so that two of them do not wait for each other.
     *
     * @throws SQLException with SQL state 23505 if one of the letters has an open item
     */
    static void insertItems(Connection connection, Dialect dialect, Action action) throws SQLException {
        List<NewItem> items = IntStream.range(0, action.items().size())
                .mapToObj(number -> new NewItem(
                        action.id(), number, action.kind(), action.items().get(number)))
                .sorted(Comparator.comparing(NewItem::openLetter))
                .toList();
        ITEMS.insert(connection, dialect, items);
    }

    /** Returns the action of an open item for one of these letters. */
    static Optional<String> findLocking(Connection connection, Dialect dialect, Collection<Action.Item> letters)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select i.action_id from unnest("
                + dialect.array("varchar") + ") as k(l) join holdfast_action_item i on i.open_letter = k.l limit 1")) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar",
                            letters.stream()
                                    .map(letter -> openLetter(letter.component(), letter.event()))
                                    .toArray(String[]::new)));
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(row.getString("action_id")) : Optional.empty();
            }
        }
    }

    static List<OpenItem> findOpen(Connection connection, String condition, int limit) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select i.action_id, " + ITEM
                + ", a.deadline <= current_timestamp as expired"
                + " from holdfast_action_item i join holdfast_action a on a.action_id = i.action_id"
                + " where i.open_letter >= ''" + condition // H2 uses no index to find what is not null
                + " order by a.requested_at, a.action_id, i.item limit ?")) {
            query.setInt(1, limit);
            List<OpenItem> items = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    items.add(new OpenItem(
                            row.getString("action_id"),
                            row.getInt("item"),
                            Kind.valueOf(row.getString("kind")),
                            item(row),
                            row.getBoolean("expired")));
                }
            }
            return items;
        }
    }

    private static Action.Item item(ResultSet row) throws SQLException {
        return new Action.Item(
                new SequenceId(row.getString("component"), row.getString("sequence")),
                row.getObject("event_id", UUID.class),
                row.getString("consumer"),
                row.getInt("hash"));
    }

    static List<Receipt> find(Connection connection, Dialect dialect, Collection<String> actions) throws SQLException {
        Map<String, Receipt> receipts = new LinkedHashMap<>();
        try (PreparedStatement query = connection.prepareStatement("select a.action_id, a.kind as action_kind,"
                + " a.request_hash, a.operator, a.requested_at, a.deadline, a.selected, " + ITEM
                + ", i.outcome, i.detail, i.cause, i.appended, i.settled_at from unnest(" + dialect.array("varchar")
                + ") as k(id) join holdfast_action a on a.action_id = k.id"
                + " join holdfast_action_item i on i.action_id = a.action_id order by a.action_id, i.item")) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar", actions.stream().distinct().toArray(String[]::new)));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    receipts.merge(row.getString("action_id"), receipt(row), ActionRows::merged);
                }
            }
        }
        return List.copyOf(receipts.values());
    }

    private static Receipt merged(Receipt first, Receipt next) {
        List<Receipt.Item> items = new ArrayList<>(first.items());
        items.addAll(next.items());
        return new Receipt(
                first.action(),
                first.kind(),
                first.requestHash(),
                first.operator(),
                first.requestedAt(),
                first.deadline(),
                first.selected(),
                items);
    }

    /** Returns the receipt with the item of this row only. */
    private static Receipt receipt(ResultSet row) throws SQLException {
        Action.Item letter = item(row);
        LetterOutcome outcome = outcome(row, letter);
        return new Receipt(
                row.getString("action_id"),
                Kind.valueOf(row.getString("action_kind")),
                row.getString("request_hash"),
                row.getString("operator"),
                EventColumns.instant(row, "requested_at"),
                EventColumns.instant(row, "deadline"),
                row.getInt("selected"),
                List.of(new Receipt.Item(
                        letter, outcome, outcome == null ? null : EventColumns.instant(row, "settled_at"))));
    }

    private static @Nullable LetterOutcome outcome(ResultSet row, Action.Item letter) throws SQLException {
        String outcome = row.getString("outcome");
        return outcome == null
                ? null
                : new LetterOutcome(
                        letter.component(),
                        letter.event(),
                        Outcome.valueOf(outcome),
                        row.getString("detail"),
                        LetterJson.cause(row.getString("cause")),
                        row.getInt("appended"));
    }

    /** Settles items that are still open. */
    static void settle(Connection connection, Collection<OpenItem> items, Outcome outcome, @Nullable String detail)
            throws SQLException {
        Batch.run(
                connection,
                "update holdfast_action_item set outcome = ?, detail = ?, appended = 0, settled_at = current_timestamp,"
                        + " open_letter = null where action_id = ? and item = ? and open_letter is not null",
                items,
                (statement, item) -> {
                    statement.setString(1, outcome.name());
                    statement.setString(2, detail);
                    statement.setString(3, item.action());
                    statement.setInt(4, item.number());
                });
    }

    /** Deletes actions without open items that were staged before a time, and their items. */
    static int delete(Connection connection, Dialect dialect, long ageMicroseconds, int limit) throws SQLException {
        List<String> old = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("select a.action_id from holdfast_action a"
                + " where a.requested_at < " + dialect.fromNow("?") + " and not exists (select 1 from"
                + " holdfast_action_item i where i.action_id = a.action_id and i.open_letter is not null)"
                + " order by a.requested_at limit ?")) {
            query.setLong(1, -ageMicroseconds);
            query.setInt(2, limit);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    old.add(row.getString("action_id"));
                }
            }
        }
        for (String table : List.of("holdfast_action_item", "holdfast_action")) {
            Batch.run(
                    connection,
                    "delete from " + table + " where action_id = ?",
                    old,
                    (statement, action) -> statement.setString(1, action));
        }
        return old.size();
    }
}
