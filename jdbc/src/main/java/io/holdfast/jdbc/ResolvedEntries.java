package io.holdfast.jdbc;

import static io.holdfast.jdbc.EventColumns.timestamp;

import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import io.holdfast.deadletter.entry.EntryStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds resolved entries, in the order of an index, a chunk at a time. */
final class ResolvedEntries {

    /** The number of letters that are examined with one query. */
    private static final int CHUNK = 1_000;

    private final Connection connection;
    private final EntryQuery query;
    private final List<String> statuses;
    private final List<Entry> found = new ArrayList<>();
    private @Nullable EntryCursor position;

    ResolvedEntries(Connection connection, EntryQuery query) {
        this.connection = connection;
        this.query = query;
        this.statuses = query.statuses().stream()
                .filter(status -> !status.isParked())
                .map(EntryStatus::name)
                .toList();
        this.position = query.after();
    }

    EntrySearch search() throws SQLException {
        if (statuses.isEmpty()) {
            return EntrySearch.NONE;
        }
        int examined = 0;
        boolean isBounded = query.examinesLetters() && !query.selectsFew();
        int chunk = isBounded ? CHUNK : query.limit() + 1;
        boolean hasMore = true;
        while (hasMore && found.size() <= query.limit() && examined < EntryStore.MAX_EXAMINED) {
            EntryCursor end = isBounded ? last(chunk) : null;
            Sql sql = new Sql("select " + EntryRows.RESOLVED + " from (")
                    .append(ordered(chunk, !isBounded))
                    .append(") l where 1 = 1")
                    .append(EntryConditions.filters(query, "l"))
                    .append(" order by " + ORDER);
            found.addAll(EntryRows.query(connection, sql, EntryRows::resolved));
            examined += chunk;
            hasMore = end != null;
            position = end;
        }
        return new EntrySearch(found, hasMore && found.size() <= query.limit() ? position : null);
    }

    private static final String ORDER = "l.resolved_at desc, l.component desc, l.sequence desc, l.number";

    /** Returns the place of the last letter of a whole chunk; null if fewer letters are left. */
    private @Nullable EntryCursor last(int chunk) throws SQLException {
        Sql sql = new Sql("select l.resolved_at, l.component, l.sequence, l.number from (")
                .append(ordered(chunk, false))
                .append(") l order by " + ORDER + " offset ? rows", chunk - 1);
        List<EntryCursor> last = EntryRows.query(
                connection,
                sql,
                row -> new EntryCursor(
                        EventColumns.instant(row, "resolved_at"),
                        row.getString("component"),
                        row.getString("sequence"),
                        row.getLong("number")));
        return last.isEmpty() ? null : last.get(0);
    }

    /** Selects letters from the current position on, in order; each status in the order of its index. */
    private Sql ordered(int limit, boolean isFiltered) {
        Sql all = new Sql("select * from (");
        String separator = "";
        for (String status : statuses) {
            all.append(separator).append(ordered(status, limit, isFiltered));
            separator = " union all ";
        }
        return all.append(") l order by " + ORDER + " limit ?", limit);
    }

    private Sql ordered(String status, int limit, boolean isFiltered) {
        Sql sql = new Sql("(select * from holdfast_resolved_letter l where l.status = ?");
        sql.append("", status);
        restrict(sql);
        if (isFiltered) {
            sql.append(EntryConditions.filters(query, "l"));
        }
        EntryCursor at = position;
        if (at != null) {
            sql.append(
                    " and l.resolved_at <= ? and (l.resolved_at < ? or l.component < ? or (l.component = ?"
                            + " and (l.sequence < ? or (l.sequence = ? and l.number > ?))))",
                    timestamp(at.time()),
                    timestamp(at.time()),
                    at.component(),
                    at.component(),
                    at.sequence(),
                    at.sequence(),
                    at.number());
        }
        return sql.append(" order by " + index() + " limit ?)", limit);
    }

    /** H2 reads an index in order only if all its columns are named. */
    private String index() {
        if (query.causeGroup() != null) {
            return "l.cause_group, l.status, " + ORDER;
        }
        if (query.components().size() == 1) {
            return "l.component, l.status, l.resolved_at desc, l.sequence desc, l.number";
        }
        boolean isOfProcessor = query.processor() != null && query.components().isEmpty();
        return (isOfProcessor ? "l.consumer, " : "") + "l.status, " + ORDER;
    }

    private void restrict(Sql sql) {
        if (query.causeGroup() != null) {
            sql.append(" and l.cause_group = ?", query.causeGroup());
        }
        if (query.processor() != null) {
            sql.append(" and l.consumer = ?", query.processor());
        }
        if (!query.components().isEmpty()) {
            List<String> ids = List.copyOf(query.components());
            sql.append(" and l.component in (" + names(ids) + ")", ids.toArray());
        }
        if (query.from() != null) {
            sql.append(" and l.resolved_at >= ?", timestamp(query.from()));
        }
        if (query.to() != null) {
            sql.append(" and l.resolved_at < ?", timestamp(query.to()));
        }
    }

    private static String names(List<?> values) {
        return values.stream().map(value -> "?").collect(Collectors.joining(", "));
    }

    /** Counts the entries that match. */
    EntryCount count() throws SQLException {
        if (statuses.isEmpty()) {
            return EntryCount.exactly(0);
        }
        Sql letters = new Sql("select " + EntryRows.EXAMINED + " from holdfast_resolved_letter l where l.status in ("
                + names(statuses) + ")");
        letters.append("", statuses.toArray());
        restrict(letters);
        letters.append(EntryConditions.selective(query, "l"));
        return EntryRows.count(connection, query, letters);
    }

    /** Counts the entries by status and component, from an index. */
    EntryCount countAll() throws SQLException {
        if (statuses.isEmpty()) {
            return EntryCount.exactly(0);
        }
        Sql sql = new Sql("select count(*) as entries from holdfast_resolved_letter l where l.status in ("
                + names(statuses) + ")");
        sql.append("", statuses.toArray());
        restrict(sql);
        return EntryCount.exactly(
                EntryRows.query(connection, sql, row -> row.getLong("entries")).get(0));
    }
}
