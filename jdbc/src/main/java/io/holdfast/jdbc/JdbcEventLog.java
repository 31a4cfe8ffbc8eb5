package io.holdfast.jdbc;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.Payload;
import io.holdfast.event.Snapshot;
import io.holdfast.event.StreamHead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the log in keyset pages. Positions are assigned under the head lock, which lasts until the commit, so no reader
 * skips an event that commits late. Every {@code order by} names all columns of its index, because H2 sorts the result
 * otherwise.
 */
final class JdbcEventLog implements EventLog {

    /** How many events one query examines that searches by time. */
    private static final int SCANNED_EVENTS = 10_000;

    private final Database database;
    private volatile LogEpochs logEpochs;

    JdbcEventLog(Database database) {
        this.database = database;
        this.logEpochs = database.read("reading the log's identity", LogEpochs::read);
    }

    /** Switches this process to the log's newest epoch. */
    void switchTo(LogEpochs newest) {
        this.logEpochs = newest;
    }

    /** Switches this process to an epoch that another one has started, if it is newer. */
    void switchTo(int epoch, Connection connection) throws SQLException {
        if (epoch != identity().epoch()) {
            switchTo(LogEpochs.read(connection));
        }
    }

    @Override
    public LogIdentity identity() {
        return logEpochs.identity();
    }

    @Override
    public List<Epoch> epochs() {
        return logEpochs.epochs();
    }

    @Override
    public long position() {
        return database.read("reading the log's position", connection -> {
            try (PreparedStatement query = connection.prepareStatement("select head_position from holdfast_log");
                    ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public StreamHead head(String stream) {
        List<StreamHead> heads = heads("where stream = ? and head_position > 0", stream);
        return heads.isEmpty() ? new StreamHead(stream, identity(), 0, null) : heads.get(0);
    }

    @Override
    public List<StreamHead> heads() {
        return heads("where head_position > 0 order by stream");
    }

    @Override
    public List<EventMessage> readAll(long after, int limit) {
        return events("where log_position > ? order by log_position limit ?", query -> {
            query.setLong(1, after);
            query.setInt(2, limit);
        });
    }

    @Override
    public List<EventMessage> readStream(String stream, long after, int limit) {
        return events("where stream = ? and log_position > ? order by stream, log_position limit ?", query -> {
            query.setString(1, stream);
            query.setLong(2, after);
            query.setInt(3, limit);
        });
    }

    @Override
    public List<EventMessage> readKey(String stream, String key, long after, int limit) {
        return events(
                "where stream = ? and aggregate_key = ? and key_version > ? order by stream, aggregate_key, key_version limit ?",
                query -> {
                    query.setString(1, stream);
                    query.setString(2, key);
                    query.setLong(3, after);
                    query.setInt(4, limit);
                });
    }

    /**
     * Scans the stream from its beginning, in pages. Times are not sorted, and an index on them would cost every append
     * more than it saves the few consumers that start at a time.
     */
    @Override
    public Optional<EventMessage> findFirst(String stream, Instant occurredAtOrLater) {
        ScannedPage page = scan(stream, 0, occurredAtOrLater);
        while (page.found() == 0 && page.last() > 0) {
            page = scan(stream, page.last(), occurredAtOrLater);
        }
        return page.found() == 0
                ? Optional.empty()
                : readStream(stream, page.found() - 1, 1).stream().findFirst();
    }

    /** The time is truncated as those in the table are. */
    private ScannedPage scan(String stream, long after, Instant time) {
        return database.read("searching stream " + stream + " by time", connection -> {
            try (PreparedStatement query = connection.prepareStatement(
                    "select min(case when occurred_at >= ? then log_position end), max(log_position)"
                            + " from (select log_position, occurred_at from holdfast_event"
                            + " where stream = ? and log_position > ? order by stream, log_position limit ?) page")) {
                query.setObject(1, EventColumns.timestamp(time.truncatedTo(ChronoUnit.MICROS)));
                query.setString(2, stream);
                query.setLong(3, after);
                query.setInt(4, SCANNED_EVENTS);
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    return new ScannedPage(row.getLong(1), row.getLong(2)); // 0 if null
                }
            }
        });
    }

    /** The first matching position of a page, and its last position. Each is 0 if it does not exist. */
    private record ScannedPage(long found, long last) {}

    @Override
    public List<EventMessage> find(Collection<UUID> ids) {
        return ids.isEmpty()
                ? List.of()
                : database.read("finding events", connection -> find(connection, database.dialect(), ids, identity()));
    }

    static List<EventMessage> find(Connection connection, Dialect dialect, Collection<UUID> ids, LogIdentity log)
            throws SQLException {
        String wanted = "select u.id from unnest(" + dialect.array("uuid") + ") as u(id)";
        return events(
                connection,
                "where event_id in (" + wanted + ") order by log_position",
                query -> query.setArray(1, connection.createArrayOf("uuid", ids.toArray())),
                log);
    }

    @Override
    public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
        return keys.isEmpty()
                ? List.of()
                : database.read(
                        "reading keys",
                        connection -> new KeyHistories(connection, database.dialect(), identity()).read(keys, limit));
    }

    /** Returns the ids of the events at these positions. */
    Map<Long, UUID> ids(Connection connection, Collection<Long> positions) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select log_position, event_id from holdfast_event where log_position in"
                        + " (select u.p from unnest(" + database.dialect().array("bigint") + ") as u(p))")) {
            query.setArray(1, connection.createArrayOf("bigint", positions.toArray()));
            Map<Long, UUID> ids = new HashMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    ids.put(row.getLong(1), row.getObject(2, UUID.class));
                }
            }
            return ids;
        }
    }

    @Override
    public Optional<Snapshot> findSnapshot(String stream, String key) {
        return database.read("reading a snapshot", connection -> {
            try (PreparedStatement query = connection.prepareStatement(
                    "select key_version, last_event_id, state_type, revision, state from holdfast_snapshot"
                            + " where stream = ? and aggregate_key = ?")) {
                query.setString(1, stream);
                query.setString(2, key);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? Optional.of(snapshot(stream, key, row)) : Optional.empty();
                }
            }
        });
    }

    private static Snapshot snapshot(String stream, String key, ResultSet row) throws SQLException {
        Payload state = new Payload(row.getString("state_type"), row.getInt("revision"), row.getString("state"));
        return new Snapshot(stream, key, row.getLong("key_version"), EventColumns.uuid(row, "last_event_id"), state);
    }

    private List<StreamHead> heads(String condition, String... parameters) {
        return database.read("reading stream heads", connection -> {
            try (PreparedStatement query = connection.prepareStatement(
                    "select stream, head_position, head_id from holdfast_stream " + condition)) {
                for (int i = 0; i < parameters.length; i++) {
                    query.setString(i + 1, parameters[i]);
                }
                List<StreamHead> heads = new ArrayList<>();
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        heads.add(new StreamHead(
                                row.getString(1), identity(), row.getLong(2), EventColumns.uuid(row, "head_id")));
                    }
                }
                return heads;
            }
        });
    }

    private List<EventMessage> events(String condition, Database.Parameters parameters) {
        return database.read("reading events", connection -> events(connection, condition, parameters, identity()));
    }

    private static List<EventMessage> events(
            Connection connection, String condition, Database.Parameters parameters, LogIdentity log)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select " + EventColumns.ALL + " from holdfast_event " + condition)) {
            parameters.set(query);
            List<EventMessage> events = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    events.add(EventColumns.event(row, log));
                }
            }
            return events;
        }
    }
}
