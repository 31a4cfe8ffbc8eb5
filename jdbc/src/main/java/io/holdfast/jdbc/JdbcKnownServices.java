package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.wire.KnownService;
import io.holdfast.wire.KnownServices;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Stores known services, one row each. Rows are locked in the order of their names, so replicas cannot deadlock. */
final class JdbcKnownServices implements KnownServices {

    private final Database database;
    private final CommitPoint.Observer points;

    JdbcKnownServices(Database database, CommitPoint.Observer points) {
        this.database = database;
        this.points = points;
    }

    @Override
    public void recordLive(Collection<String> services) {
        points.pass(CommitPoint.SERVICES_RECORD, () -> {
            var unused = database.write("recording live services", connection -> {
                for (String service : new TreeSet<>(services)) {
                    record(connection, service);
                }
                return services.size();
            });
        });
    }

    private void record(Connection connection, String service) throws SQLException {
        if (update(connection, service) == 0 && !insert(connection, service)) {
            update(connection, service); // another replica has inserted it in the meantime
        }
    }

    private static int update(Connection connection, String service) throws SQLException {
        return update(
                connection,
                "update holdfast_known_service set last_seen = current_timestamp where service = ?",
                statement -> statement.setString(1, service));
    }

    private boolean insert(Connection connection, String service) throws SQLException {
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_known_service",
                        "service, first_seen, last_seen",
                        "service",
                        "cast(? as varchar), current_timestamp, current_timestamp");
        return database.insertIfAbsent(connection, insert, statement -> statement.setString(1, service));
    }

    @Override
    public List<KnownService> findAll() {
        return database.read("reading known services", connection -> {
            try (PreparedStatement query =
                            connection.prepareStatement("select * from holdfast_known_service order by service");
                    ResultSet row = query.executeQuery()) {
                List<KnownService> found = new ArrayList<>();
                while (row.next()) {
                    found.add(new KnownService(
                            row.getString("service"),
                            row.getObject("first_seen", OffsetDateTime.class).toInstant(),
                            row.getObject("last_seen", OffsetDateTime.class).toInstant()));
                }
                return found;
            }
        });
    }

    @Override
    public boolean forget(String service) {
        return delete("forgetting service " + service, "service = ?", statement -> statement.setString(1, service)) > 0;
    }

    @Override
    public int forgetSilent(Duration silence) {
        return delete(
                "forgetting silent services",
                "last_seen < " + database.dialect().fromNow("?"),
                statement -> statement.setLong(1, -Database.microseconds(silence)));
    }

    private int delete(String what, String condition, Database.Parameters parameters) {
        return points.pass(
                CommitPoint.SERVICES_FORGET,
                () -> database.write(
                        what,
                        connection -> update(
                                connection, "delete from holdfast_known_service where " + condition, parameters)));
    }

    private static int update(Connection connection, String sql, Database.Parameters parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parameters.set(statement);
            return statement.executeUpdate();
        }
    }
}
