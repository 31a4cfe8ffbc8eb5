package io.holdfast.jdbc;

import io.holdfast.deadletter.entry.EntryQuery;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The conditions of a query for entries on the columns of letters, parked or resolved. */
final class EntryConditions {

    private EntryConditions() {}

    /**
     * Returns the filters that examine letters, each beginning with {@code and}.
     *
     * @param l the alias of the table of letters
     */
    static Sql filters(EntryQuery query, String l) {
        Sql sql = new Sql("");
        equal(sql, l + ".event_id", query.eventId());
        equal(sql, l + ".saga_id", query.sagaId());
        equal(sql, l + ".correlation_id", query.correlationId());
        equal(sql, l + ".event_type", query.eventType());
        equal(sql, l + ".aggregate_key", query.key());
        equal(sql, l + ".cause_type", query.causeType());
        String text = query.text();
        if (text != null) {
            String cause = l + ".cause_type || coalesce(': ' || " + l + ".cause_message, '')";
            sql.append(" and position(? in lower(" + cause + ")) > 0", text.toLowerCase(Locale.ROOT));
        }
        return sql;
    }

    private static void equal(Sql sql, String column, @Nullable Object value) {
        if (value != null) {
            sql.append(" and " + column + " = ?", value);
        }
    }

    /**
     * Returns a condition on an indexed column that selects few letters.
     *
     * @param l the alias of the table of letters
     */
    static Sql selective(EntryQuery query, String l) {
        Sql sql = new Sql("");
        equal(sql, l + ".event_id", query.eventId());
        equal(sql, l + ".saga_id", query.sagaId());
        equal(sql, l + ".correlation_id", query.correlationId());
        return sql;
    }
}
