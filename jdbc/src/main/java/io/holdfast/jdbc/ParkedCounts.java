package io.holdfast.jdbc;

import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Counts parked entries by status, component and group, from the counters of queues and groups. */
final class ParkedCounts {

    private static final Set<EntryStatus> PARKED = Set.of(EntryStatus.PENDING, EntryStatus.RETRYING, EntryStatus.HELD);

    private final Connection connection;
    private final EntryQuery query;
    private final Set<EntryStatus> statuses;

    ParkedCounts(Connection connection, EntryQuery query) {
        this.connection = connection;
        this.query = query;
        this.statuses = new TreeSet<>(query.statuses());
        statuses.retainAll(PARKED);
    }

    EntryCount count() throws SQLException {
        if (statuses.isEmpty()) {
            return EntryCount.exactly(0);
        }
        if (query.processor() != null) {
            return ofSequences();
        }
        boolean isAll = statuses.equals(PARKED);
        boolean isPending = statuses.equals(Set.of(EntryStatus.PENDING));
        if (query.causeGroup() != null && (isAll || isPending)) {
            return sum(
                    isAll ? "c.parked" : "c.pending",
                    "holdfast_cause_group c where c.cause_group = ?",
                    query.causeGroup());
        }
        if (query.causeGroup() == null && (isAll || isPending)) {
            return sum(isAll ? "c.letters" : "c.pending_letters", "holdfast_queue c where 1 = 1");
        }
        return ofSequences();
    }

    /** RETRYING and HELD sequences are few: {@code max-waiting} limits them. Those of a processor have an index. */
    private EntryCount ofSequences() throws SQLException {
        List<Object> parameters = statuses.stream().map(Enum::name).collect(Collectors.toList());
        String group = "";
        if (query.causeGroup() != null) {
            group = " and c.cause_group = ?";
            parameters.add(query.causeGroup());
        }
        String consumer = "";
        if (query.processor() != null) {
            consumer = " and c.consumer = ?";
            parameters.add(query.processor());
        }
        String states = statuses.stream().map(status -> "?").collect(Collectors.joining(", "));
        return sum(
                "c.size",
                "holdfast_sequence c where c.state in (" + states + ")" + group + consumer,
                parameters.toArray());
    }

    private EntryCount sum(String column, String from, Object... parameters) throws SQLException {
        Sql sql = new Sql("select coalesce(sum(" + column + "), 0) as entries from " + from);
        sql.append("", parameters);
        if (!query.components().isEmpty()) {
            List<String> ids = List.copyOf(query.components());
            String names = ids.stream().map(id -> "?").collect(Collectors.joining(", "));
            sql.append(" and c.component in (" + names + ")", ids.toArray());
        }
        return EntryCount.exactly(
                EntryRows.query(connection, sql, row -> row.getLong("entries")).get(0));
    }
}
