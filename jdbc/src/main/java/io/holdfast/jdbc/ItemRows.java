package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.LetterItem;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Settlement;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps the items of actions to rows. While an item is open, a unique column locks its letter, or what it names. */
final class ItemRows {

    /** The kinds that this version knows. Rows of others are ignored, so that they do not fill up pages. */
    static final String KNOWN_KINDS =
            Stream.of(Kind.values()).map(kind -> "'" + kind.name() + "'").collect(Collectors.joining(", ", "(", ")"));

    private static final List<Column<NewItem>> KEYS =
            List.of(new Column<>("action_id", VARCHAR, NewItem::action), new Column<>("item", INT4, NewItem::number));

    private static final List<Column<NewItem>> CONTENT = List.of(
            new Column<>("kind", VARCHAR, item -> item.kind().name()),
            letterColumn("component", VARCHAR, LetterItem::component),
            letterColumn("event_id", UUIDS, LetterItem::event),
            letterColumn("sequence", VARCHAR, letter -> letter.sequence().sequence()),
            letterColumn("consumer", VARCHAR, LetterItem::consumer),
            letterColumn("hash", INT4, LetterItem::hash),
            operationColumn("type", OperationItem::type),
            operationColumn("name", OperationItem::name));

    private static final BulkTable<NewItem> OPEN_ITEMS = new BulkTable<>(
            "holdfast_action_item",
            KEYS,
            Stream.concat(CONTENT.stream(), Stream.of(new Column<NewItem>("open_letter", VARCHAR, item -> item.item()
                            .lock())))
                    .toList());

    private static final BulkTable<NewItem> CLEARED_ITEMS = new BulkTable<>(
            "holdfast_action_item",
            KEYS,
            Stream.concat(
                            CONTENT.stream(),
                            Stream.of(
                                    new Column<NewItem>("outcome", VARCHAR, item -> Outcome.CLEARED.name()),
                                    new Column<NewItem>("replica", VARCHAR, NewItem::replica)))
                    .toList());

    private static final String ITEM =
            "i.item, i.kind, i.component, i.event_id, i.sequence, i.consumer, i.hash, i.type, i.name";

    private static final String EXPIRED = "(a.deadline <= current_timestamp or a.state = 'STOPPED')";

    private ItemRows() {}

    /** @param replica null for an item that is open */
    private record NewItem(String action, int number, Kind kind, Action.Item item, @Nullable String replica) {}

    private static Column<NewItem> letterColumn(
            String name, ColumnType type, Function<LetterItem, @Nullable Object> value) {
        return new Column<>(name, type, row -> row.item() instanceof LetterItem letter ? value.apply(letter) : null);
    }

    private static Column<NewItem> operationColumn(String name, Function<OperationItem, String> value) {
        return new Column<>(
                name, VARCHAR, row -> row.item() instanceof OperationItem operation ? value.apply(operation) : null);
    }

    /**
     * Inserts the items, in the same order as all other transactions, so that two of them do not wait for each other.
     *
     * @throws SQLException with SQL state 23505 if one of them is locked
     */
    static void insert(Connection connection, Dialect dialect, Action action) throws SQLException {
        List<NewItem> items = IntStream.range(0, action.items().size())
                .mapToObj(number -> new NewItem(
                        action.id(), number, action.kind(), action.items().get(number), null))
                .sorted(Comparator.comparing(item -> item.item().lock()))
                .toList();
        OPEN_ITEMS.insert(connection, dialect, items);
    }

    /** Adds the letters that a reset has removed to the items of its action. */
    static void insertCleared(Connection connection, Dialect dialect, Settlement settlement, List<LetterItem> letters)
            throws SQLException {
        if (letters.isEmpty()) {
            return;
        }
        int first = nextNumber(connection, settlement.action());
        List<NewItem> items = IntStream.range(0, letters.size())
                .mapToObj(i ->
                        new NewItem(settlement.action(), first + i, Kind.RESET, letters.get(i), settlement.replica()))
                .toList();
        CLEARED_ITEMS.insert(connection, dialect, items);
        try (PreparedStatement update = connection.prepareStatement("update holdfast_action_item set appended = 0,"
                + " settled_at = current_timestamp where action_id = ? and item >= ?")) {
            update.setString(1, settlement.action());
            update.setInt(2, first);
            update.executeUpdate();
        }
        try (PreparedStatement update =
                connection.prepareStatement("update holdfast_action set selected = selected + ? where action_id = ?")) {
            update.setInt(1, letters.size());
            update.setString(2, settlement.action());
            update.executeUpdate();
        }
    }

    private static int nextNumber(Connection connection, String action) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select max(item) from holdfast_action_item where action_id = ?")) {
            query.setString(1, action);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1) + 1;
            }
        }
    }

    /** Returns the action of an open item that locks one of these. */
    static Optional<String> findLocking(Connection connection, Dialect dialect, Collection<Action.Item> items)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select i.action_id from unnest("
                + dialect.array("varchar") + ") as k(l) join holdfast_action_item i on i.open_letter = k.l limit 1")) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar", items.stream().map(Action.Item::lock).toArray(String[]::new)));
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(row.getString("action_id")) : Optional.empty();
            }
        }
    }

    /** Finds open items, those of operations first. */
    static List<OpenItem> findOpen(Connection connection, int limit) throws SQLException {
        return findOpen(connection, "", limit, query -> {});
    }

    /** Finds open items that may no longer start. */
    static List<OpenItem> findExpired(Connection connection, @Nullable String action, int limit) throws SQLException {
        return action == null
                ? findOpen(connection, " and " + EXPIRED, limit, query -> {})
                : findOpen(
                        connection,
                        " and " + EXPIRED + " and i.action_id = ?",
                        limit,
                        query -> query.setString(1, action));
    }

    private static List<OpenItem> findOpen(
            Connection connection, String condition, int limit, Database.Parameters parameters) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select i.action_id, " + ITEM + ", " + EXPIRED
                + " as expired, a.state"
                + " from holdfast_action_item i join holdfast_action a on a.action_id = i.action_id"
                + " where i.open_letter >= ''" // H2 uses no index to find what is not null
                + " and i.kind in " + KNOWN_KINDS + condition
                + " order by case when i.component is null then 0 else 1 end, a.requested_at, a.action_id, i.item"
                + " limit " + limit)) {
            parameters.set(query);
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

    /** Returns those of the items that are open and may start. */
    static Set<OpenItem> findStartable(Connection connection, Dialect dialect, Collection<OpenItem> items)
            throws SQLException {
        Set<String> locks = items.stream().map(item -> item.item().lock()).collect(Collectors.toSet());
        try (PreparedStatement query = connection.prepareStatement("select i.action_id, " + ITEM + " from unnest("
                + dialect.array("varchar") + ") as k(l) join holdfast_action_item i on i.open_letter = k.l"
                + " join holdfast_action a on a.action_id = i.action_id where not " + EXPIRED + " and i.kind in "
                + KNOWN_KINDS)) {
            query.setArray(1, connection.createArrayOf("varchar", locks.toArray()));
            Set<OpenItem> found = new HashSet<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(new OpenItem(
                            row.getString("action_id"),
                            row.getInt("item"),
                            Kind.valueOf(row.getString("kind")),
                            item(row),
                            false));
                }
            }
            return found;
        }
    }

    static List<Receipt.Item> find(Connection connection, String action, int fromItem, int limit) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select " + ITEM
                + ", i.outcome, i.detail, i.cause, i.appended, i.settled_at, i.replica from holdfast_action_item i"
                + " join holdfast_action a on a.action_id = i.action_id where i.action_id = ? and i.item >= ? and "
                + ActionRows.VISIBLE + " order by i.item limit ?")) {
            query.setString(1, action);
            query.setInt(2, fromItem);
            query.setInt(3, limit);
            List<Receipt.Item> items = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    items.add(new Receipt.Item(row.getInt("item"), item(row), result(row)));
                }
            }
            return items;
        }
    }

    private static Action.Item item(ResultSet row) throws SQLException {
        String component = row.getString("component");
        return component == null
                ? new OperationItem(row.getString("type"), row.getString("name"))
                : new LetterItem(
                        new SequenceId(component, row.getString("sequence")),
                        row.getObject("event_id", UUID.class),
                        row.getString("consumer"),
                        row.getInt("hash"));
    }

    private static Receipt.@Nullable Result result(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        return outcome == null
                ? null
                : new Receipt.Result(
                        Outcome.valueOf(outcome),
                        row.getString("detail"),
                        LetterJson.cause(row.getString("cause")),
                        row.getInt("appended"),
                        EventColumns.instant(row, "settled_at"),
                        row.getString("replica"));
    }

    /**
     * Returns the condition that an item has edited its letter and replays it now. If that is not tried, the letter is
     * still edited.
     *
     * @param table the name or alias of the table of items
     */
    static String isEdited(String table) {
        return "(" + table + ".kind = 'REPLAY' and exists (select 1 from holdfast_action e where e.action_id = " + table
                + ".action_id and e.kind = 'EDIT'))";
    }

    /** Settles items that are still open. */
    static void settle(
            Connection connection, Collection<OpenItem> items, Outcome outcome, @Nullable String detail, String replica)
            throws SQLException {
        Batch.run(
                connection,
                "update holdfast_action_item set outcome = case when cast(? as varchar) = 'NOT_TRIED' and "
                        + isEdited("holdfast_action_item")
                        + " then 'EDITED' else cast(? as varchar) end, detail = ?, appended = 0,"
                        + " settled_at = current_timestamp, replica = ?, open_letter = null"
                        + " where action_id = ? and item = ? and open_letter is not null",
                items,
                (statement, item) -> {
                    statement.setString(1, outcome.name());
                    statement.setString(2, outcome.name());
                    statement.setString(3, detail);
                    statement.setString(4, replica);
                    statement.setString(5, item.action());
                    statement.setInt(6, item.number());
                });
    }

    /** Settles expired items as not tried. */
    static void expire(Connection connection, Collection<OpenItem> items, String replica) throws SQLException {
        Batch.run(
                connection,
                "update holdfast_action_item set outcome = case when " + isEdited("holdfast_action_item")
                        + " then 'EDITED' else 'NOT_TRIED' end, detail = (select case when a.state = 'STOPPED'"
                        + " then '" + LetterOutcome.STOPPED + "' else '" + LetterOutcome.EXPIRED
                        + "' end from holdfast_action a where a.action_id = holdfast_action_item.action_id),"
                        + " appended = 0, settled_at = current_timestamp, replica = ?, open_letter = null"
                        + " where action_id = ? and item = ? and open_letter is not null",
                items,
                (statement, item) -> {
                    statement.setString(1, replica);
                    statement.setString(2, item.action());
                    statement.setInt(3, item.number());
                });
    }

    /**
     * Settles the item of an operation, as part of the transaction of its effect. Call it before the effect: a
     * transaction that settles items otherwise locks them before the tokens.
     *
     * @throws AlreadySettledException if the item is settled; roll the transaction back
     */
    static void settle(Connection connection, @Nullable Settlement settlement) throws SQLException {
        if (settlement == null) {
            return;
        }
        try (PreparedStatement update = connection.prepareStatement("update holdfast_action_item set outcome = ?,"
                + " detail = ?, appended = 0, settled_at = current_timestamp, replica = ?, open_letter = null"
                + " where action_id = ? and item = ? and open_letter is not null")) {
            update.setString(1, settlement.outcome().name());
            update.setString(2, settlement.detail());
            update.setString(3, settlement.replica());
            update.setString(4, settlement.action());
            update.setInt(5, settlement.item());
            if (update.executeUpdate() == 0) {
                throw new AlreadySettledException(settlement);
            }
        }
    }

    /** Returns those of the settlements whose items are open, and locks them until the transaction ends. */
    static Set<Settlement> lockOpen(Connection connection, Collection<Settlement> settlements) throws SQLException {
        Set<Settlement> open = new HashSet<>();
        for (Settlement settlement : settlements) {
            try (PreparedStatement query = connection.prepareStatement(
                    "select open_letter from holdfast_action_item" + " where action_id = ? and item = ? for update")) {
                query.setString(1, settlement.action());
                query.setInt(2, settlement.item());
                try (ResultSet row = query.executeQuery()) {
                    if (row.next() && row.getString("open_letter") != null) {
                        open.add(settlement);
                    }
                }
            }
        }
        return open;
    }
}
