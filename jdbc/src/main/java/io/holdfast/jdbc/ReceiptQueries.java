package io.holdfast.jdbc;

import io.holdfast.action.Receipt;
import io.holdfast.action.ReceiptQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates one {@link ReceiptQuery} to SQL. Not thread-safe. */
final class ReceiptQueries {

    private static final String ITEM = "select 1 from holdfast_action_item i where i.action_id = a.action_id";

    private final StringBuilder conditions = new StringBuilder(" where " + ActionRows.VISIBLE);
    private final List<Object> parameters = new ArrayList<>();

    private ReceiptQueries() {}

    static List<Receipt> find(Connection connection, ReceiptQuery query) throws SQLException {
        ReceiptQueries conditions = new ReceiptQueries();
        conditions.addAll(query);
        try (PreparedStatement statement = connection.prepareStatement(ActionRows.RECEIPTS + conditions.conditions
                + " order by a.requested_at desc, a.action_id desc limit " + query.limit())) {
            for (int i = 0; i < conditions.parameters.size(); i++) {
                statement.setObject(i + 1, conditions.parameters.get(i));
            }
            return ActionRows.receipts(statement);
        }
    }

    private void addAll(ReceiptQuery query) {
        add("a.operator = ?", query.operator());
        add("a.kind = ?", query.kind() == null ? null : query.kind().name());
        add("a.target = ?", query.target());
        add("a.action_id in (select i.action_id from holdfast_action_item i where i.event_id = ?)", query.eventId());
        add("exists (" + ITEM + " and i.component = ?)", query.component());
        add("a.requested_at >= ?", query.from() == null ? null : EventColumns.timestamp(query.from()));
        add("a.requested_at < ?", query.to() == null ? null : EventColumns.timestamp(query.to()));
        addOpen(query.open());
        addCursor(query.after());
    }

    /** Few actions are open, so these are found by their items; most are not, so the others are found by age. */
    private void addOpen(@Nullable Boolean open) {
        if (open != null && open) {
            conditions.append(" and a.action_id in"
                    + " (select i.action_id from holdfast_action_item i where i.open_letter >= '')");
        } else if (open != null) {
            conditions.append(" and not exists (" + ITEM + " and i.outcome is null)");
        }
    }

    private void addCursor(ReceiptQuery.@Nullable Cursor after) {
        if (after != null) {
            Object time = EventColumns.timestamp(after.requestedAt());
            conditions.append(" and a.requested_at <= ? and (a.requested_at < ? or a.action_id < ?)");
            parameters.addAll(List.of(time, time, after.action()));
        }
    }

    private void add(String condition, @Nullable Object value) {
        if (value != null) {
            conditions.append(" and ").append(condition);
            parameters.add(value);
        }
    }
}
