package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT8;
import static io.holdfast.jdbc.ColumnType.TEXT;
import static io.holdfast.jdbc.ColumnType.TIMESTAMPTZ;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.CauseGroupChange;
import io.holdfast.deadletter.entry.GroupQuery;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Maps cause groups to rows. A group has a row from its first failure until it is empty and expires. */
final class CauseGroupRows {

    private static final List<Column<CauseGroupChange>> KEY =
            List.of(new Column<>("cause_group", VARCHAR, CauseGroupChange::id));
    private static final Column<CauseGroupChange> PENDING = new Column<>("pending", INT8, CauseGroupChange::pending);
    private static final Column<CauseGroupChange> PARKED = new Column<>("parked", INT8, CauseGroupChange::parked);

    private static final BulkTable<CauseGroupChange> GROUPS = new BulkTable<>(
            "holdfast_cause_group",
            KEY,
            List.of(
                    new Column<>("component", VARCHAR, CauseGroupChange::component),
                    new Column<>("cause_type", TEXT, change -> ofCause(change, Cause::type)),
                    new Column<>("cause_message", TEXT, change -> ofCause(change, Cause::message)),
                    PENDING,
                    PARKED,
                    new Column<>("first_seen", TIMESTAMPTZ, change -> timestampOrNull(change.seenFrom())),
                    new Column<>("last_seen", TIMESTAMPTZ, change -> timestampOrNull(change.seenUntil()))));

    private static final BulkTable<CauseGroupChange> COUNTS =
            new BulkTable<>("holdfast_cause_group", KEY, List.of(PENDING, PARKED));

    private CauseGroupRows() {}

    /** Requires the head lock, so that no other transaction counts concurrently. Sends nothing if no group changes. */
    static void write(Connection connection, Dialect dialect, List<CauseGroupChange> changes) throws SQLException {
        List<CauseGroupChange> seen =
                changes.stream().filter(change -> change.newest() != null).toList();
        List<CauseGroupChange> counted =
                changes.stream().filter(change -> change.newest() == null).toList();
        GROUPS.upsert(
                connection,
                dialect,
                seen,
                "pending = t.pending + k.pending, parked = t.parked + k.parked, cause_message = k.cause_message,"
                        + " last_seen = greatest(t.last_seen, k.last_seen)");
        COUNTS.add(connection, dialect, counted);
    }

    /** Deletes groups without parked letters that have not been seen for their retention time. */
    static void delete(Connection connection, Dialect dialect, long ageMicroseconds) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(
                "delete from holdfast_cause_group where parked = 0" + " and last_seen < " + dialect.fromNow("?"))) {
            delete.setLong(1, -ageMicroseconds);
            delete.executeUpdate();
        }
    }

    static List<CauseGroup> find(Connection connection, Dialect dialect, GroupQuery query) throws SQLException {
        Sql sql = new Sql(
                "select * from holdfast_cause_group g where " + (query.isResolved() ? "1 = 1" : "g.parked > 0"));
        if (!query.components().isEmpty()) {
            sql.append(" and g.component = any(" + dialect.array("varchar") + ")")
                    .array("varchar", query.components().toArray(String[]::new));
        }
        sql.append(" order by g.pending desc, g.parked desc, g.last_seen desc, g.cause_group limit ?", query.limit());
        try (PreparedStatement statement = sql.prepare(connection);
                ResultSet row = statement.executeQuery()) {
            List<CauseGroup> groups = new ArrayList<>();
            while (row.next()) {
                groups.add(group(row));
            }
            return groups;
        }
    }

    private static CauseGroup group(ResultSet row) throws SQLException {
        OffsetDateTime noted = row.getObject("noted_at", OffsetDateTime.class);
        return new CauseGroup(
                row.getString("component"),
                row.getString("cause_group"),
                row.getString("cause_type"),
                row.getString("cause_message"),
                row.getLong("pending"),
                row.getLong("parked"),
                EventColumns.instant(row, "first_seen"),
                EventColumns.instant(row, "last_seen"),
                row.getString("note"),
                row.getString("note_by"),
                noted == null ? null : noted.toInstant());
    }

    /** @return whether the group exists */
    static boolean note(Connection connection, String group, @Nullable String text, String by) throws SQLException {
        String noted = text == null ? "cast(null as timestamp with time zone)" : "current_timestamp";
        try (PreparedStatement update =
                connection.prepareStatement("update holdfast_cause_group set note = ?, note_by = ?, noted_at = " + noted
                        + " where cause_group = ?")) {
            update.setString(1, text);
            update.setString(2, text == null ? null : by);
            update.setString(3, group);
            return update.executeUpdate() == 1;
        }
    }

    private static @Nullable String ofCause(CauseGroupChange change, Function<Cause, @Nullable String> part) {
        Cause cause = change.newest();
        return cause == null ? null : part.apply(cause);
    }

    private static @Nullable OffsetDateTime timestampOrNull(@Nullable Instant time) {
        return time == null ? null : EventColumns.timestamp(time);
    }
}
