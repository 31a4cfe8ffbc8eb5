package io.holdfast.jdbc;

import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.Payload;
import io.holdfast.event.Snapshot;
import io.holdfast.event.SnapshotFormat;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads snapshots and events of many keys with one query. */
final class KeyHistories {

    private static final String EVENT_COLUMNS = Stream.of(EventColumns.ALL.split(", ", -1))
            .map(column -> "e." + column)
            .collect(Collectors.joining(", "));

    /** After which version a history begins: before the snapshot's last event, if there is a usable snapshot. */
    private static final String START = "coalesce(p.key_version - 1, k.after)";

    private final Connection connection;
    private final Dialect dialect;
    private final LogIdentity log;

    KeyHistories(Connection connection, Dialect dialect, LogIdentity log) {
        this.connection = connection;
        this.dialect = dialect;
        this.log = log;
    }

    /** Versions have no gaps, so a limit per key is a range of versions. */
    List<KeyHistory> read(Collection<KeyRead> keys, int limit) throws SQLException {
        if (keys.isEmpty()) {
            return List.of();
        }
        List<KeyRead> wanted = List.copyOf(keys);
        try (PreparedStatement query = connection.prepareStatement(sql())) {
            setArray(query, 1, "varchar", wanted, KeyRead::stream);
            setArray(query, 2, "varchar", wanted, KeyRead::key);
            setArray(query, 3, "bigint", wanted, KeyRead::after);
            setArray(query, 4, "varchar", wanted, key -> ofSnapshot(key, SnapshotFormat::type));
            setArray(query, 5, "integer", wanted, key -> ofSnapshot(key, SnapshotFormat::revision));
            query.setLong(6, limit);
            try (ResultSet row = query.executeQuery()) {
                return histories(row, wanted);
            }
        }
    }

    private String sql() {
        String keys = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ", "
                + dialect.array("bigint") + ", " + dialect.array("varchar") + ", " + dialect.array("integer")
                + ") with ordinality as k(s, a, after, t, r, n)";
        return "select k.n, p.key_version as snapshot_version, p.last_event_id, p.state_type, p.revision as state_revision,"
                // once per key: the state may be large
                + " case when e.key_version is null or e.key_version = " + START + " + 1 then p.state end as state, "
                + EVENT_COLUMNS
                + " from " + keys
                + dialect.leftJoinByKeys(
                        "holdfast_snapshot",
                        "p",
                        "p.stream = k.s and p.aggregate_key = k.a and p.state_type = k.t and p.revision = k.r")
                + dialect.leftJoinByKeys(
                        "holdfast_event",
                        "e",
                        "e.stream = k.s and e.aggregate_key = k.a and e.key_version > " + START
                                + " and e.key_version <= " + START + " + ?")
                + " order by k.n, e.key_version";
    }

    private List<KeyHistory> histories(ResultSet row, List<KeyRead> wanted) throws SQLException {
        List<@Nullable Snapshot> snapshots = new ArrayList<>();
        List<List<EventMessage>> events = new ArrayList<>();
        while (row.next()) {
            int key = row.getInt("n") - 1;
            if (key == events.size()) {
                events.add(new ArrayList<>());
                snapshots.add(snapshot(row, wanted.get(key)));
            }
            if (row.getLong("log_position") > 0) {
                events.get(key).add(EventColumns.event(row, log));
            }
        }
        List<KeyHistory> histories = new ArrayList<>();
        for (int key = 0; key < wanted.size(); key++) {
            KeyRead read = wanted.get(key);
            histories.add(new KeyHistory(read.stream(), read.key(), snapshots.get(key), events.get(key)));
        }
        return histories;
    }

    private static @Nullable Snapshot snapshot(ResultSet row, KeyRead key) throws SQLException {
        String state = row.getString("state");
        if (state == null) {
            return null;
        }
        Payload payload = new Payload(row.getString("state_type"), row.getInt("state_revision"), state);
        return new Snapshot(
                key.stream(),
                key.key(),
                row.getLong("snapshot_version"),
                EventColumns.uuid(row, "last_event_id"),
                payload);
    }

    private static @Nullable Object ofSnapshot(KeyRead key, Function<SnapshotFormat, Object> value) {
        SnapshotFormat format = key.snapshot();
        return format == null ? null : value.apply(format);
    }

    private void setArray(
            PreparedStatement query,
            int index,
            String type,
            List<KeyRead> keys,
            Function<KeyRead, @Nullable Object> value)
            throws SQLException {
        query.setArray(
                index, connection.createArrayOf(type, keys.stream().map(value).toArray()));
    }
}
