package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.ConsumerGroup;
import io.holdfast.wire.ConsumerGroups;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores consumer groups, one row per stream that a group reads. A group registers under the head lock, which an
 * eviction takes too. So an eviction either sees the group or has finished before the group's start is resolved. All
 * other writes are one statement on the group's own rows.
 */
final class JdbcConsumerGroups implements ConsumerGroups {

    private static final String ONE = " where group_name = ? and stream = ?";
    private static final String REACHED =
            "reached_log_id = ?, reached_epoch = ?, reached_position = ?, reached_event_id = ?";
    private static final String STARTED = REACHED.replace("reached_", "start_");

    private final Database database;
    private final CommitPoint.Observer points;

    JdbcConsumerGroups(Database database, CommitPoint.Observer points) {
        this.database = database;
        this.points = points;
    }

    @Override
    public ConsumerGroup register(String group, String stream) {
        return database.write("registering " + of(group, stream), connection -> {
            database.lockHead(connection);
            return points.pass(CommitPoint.GROUP_REGISTER, () -> {
                insert(connection, group, stream);
                ConsumerGroup registered = require(connection, group, stream);
                connection.commit();
                return registered;
            });
        });
    }

    @Override
    public ConsumerGroup storeStart(String group, String stream, StreamPosition start) {
        return write(CommitPoint.GROUP_START, "starting " + of(group, stream), connection -> {
            update(
                    connection,
                    "update holdfast_consumer_group set " + STARTED + ", " + REACHED + ONE
                            + " and start_position is null",
                    statement -> {
                        int reached = set(statement, 1, start);
                        int where = set(statement, reached, start);
                        set(statement, where, group, stream);
                    });
            return require(connection, group, stream);
        });
    }

    @Override
    public boolean report(String group, String stream, StreamPosition reached) {
        int stored = write(
                CommitPoint.GROUP_REPORT,
                "storing the position of " + of(group, stream),
                connection -> update(
                        connection,
                        "update holdfast_consumer_group set " + REACHED + ", reported_at = current_timestamp" + ONE
                                + " and start_position is not null",
                        statement -> set(statement, set(statement, 1, reached), group, stream)));
        return stored == 1;
    }

    @Override
    public List<ConsumerGroup> findAll() {
        return database.read("reading consumer groups", connection -> find(connection, "order by group_name, stream"));
    }

    @Override
    public boolean remove(String group, @Nullable Settlement settlement) {
        return write(CommitPoint.GROUP_REMOVE, "removing consumer group " + group, connection -> {
            ItemRows.settle(connection, settlement);
            int removed = update(
                    connection,
                    "delete from holdfast_consumer_group where group_name = ?",
                    statement -> statement.setString(1, group));
            if (removed == 0) {
                connection.rollback(); // the item stays open
            }
            return removed > 0;
        });
    }

    /** Finds the groups that read a stream, as the running transaction sees them. */
    static List<ConsumerGroup> findByStream(Connection connection, String stream) throws SQLException {
        return find(connection, "where stream = ?", stream);
    }

    private <T> T write(CommitPoint point, String what, Database.Work<T> work) {
        return points.pass(point, () -> database.write(what, work));
    }

    private void insert(Connection connection, String group, String stream) throws SQLException {
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_consumer_group",
                        "group_name, stream, reported_at",
                        "group_name, stream",
                        "cast(? as varchar), cast(? as varchar), current_timestamp");
        database.insertIfAbsent(connection, insert, statement -> set(statement, 1, group, stream));
    }

    private static ConsumerGroup require(Connection connection, String group, String stream) throws SQLException {
        List<ConsumerGroup> found = find(connection, ONE, group, stream);
        if (found.isEmpty()) {
            throw new PermanentException(of(group, stream) + " is not registered, or was removed");
        }
        return found.get(0);
    }

    private static List<ConsumerGroup> find(Connection connection, String condition, String... parameters)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select * from holdfast_consumer_group " + condition)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setString(i + 1, parameters[i]);
            }
            List<ConsumerGroup> groups = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    groups.add(new ConsumerGroup(
                            row.getString("group_name"),
                            row.getString("stream"),
                            position(row, "start"),
                            position(row, "reached"),
                            row.getObject("reported_at", OffsetDateTime.class).toInstant()));
                }
            }
            return groups;
        }
    }

    private static @Nullable StreamPosition position(ResultSet row, String which) throws SQLException {
        UUID log = EventColumns.uuid(row, which + "_log_id");
        return log == null
                ? null
                : new StreamPosition(
                        new LogIdentity(log, row.getInt(which + "_epoch")),
                        row.getLong(which + "_position"),
                        EventColumns.uuid(row, which + "_event_id"));
    }

    /** @return the index of the next parameter */
    private static int set(PreparedStatement statement, int first, StreamPosition position) throws SQLException {
        statement.setObject(first, position.log().id());
        statement.setInt(first + 1, position.log().epoch());
        statement.setLong(first + 2, position.position());
        statement.setObject(first + 3, position.id());
        return first + 4;
    }

    private static void set(PreparedStatement statement, int first, String group, String stream) throws SQLException {
        statement.setString(first, group);
        statement.setString(first + 1, stream);
    }

    private static int update(Connection connection, String sql, Database.Parameters parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parameters.set(statement);
            return statement.executeUpdate();
        }
    }

    private static String of(String group, String stream) {
        return "consumer group " + group + " of stream " + stream;
    }
}
