package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The service that owns the tables. Two services in the same tables would treat each other's events, tokens and letters
 * as their own.
 */
final class LogOwner {

    private LogOwner() {}

    /**
     * Makes the service the owner of a log that has no owner yet.
     *
     * @throws PermanentException if another service owns the log
     */
    static void claim(Database database, String service) {
        String owner = database.read("reading the owner of the log", LogOwner::find)
                .orElseGet(() -> database.write(
                        "claiming the log for service " + service,
                        connection -> setOwnerIfAbsent(database, connection, service)));
        if (!service.equals(owner)) {
            throw new PermanentException(
                    "the tables of this database belong to service " + owner + ", and service " + service
                            + " cannot share them: each would treat the other's events as its own. Give " + service
                            + " a database or a schema of its own. If it is " + owner
                            + " under a new name, keep the old name: event ids are derived from it");
        }
    }

    private static String setOwnerIfAbsent(Database database, Connection connection, String service)
            throws SQLException {
        database.lockHead(connection);
        try (PreparedStatement update = connection.prepareStatement(
                "update holdfast_log set service = ? where singleton and service is null")) {
            update.setString(1, service);
            update.executeUpdate();
        }
        return find(connection).orElse(service);
    }

    private static Optional<String> find(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select service from holdfast_log where singleton");
                ResultSet row = query.executeQuery()) {
            return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
        }
    }
}
