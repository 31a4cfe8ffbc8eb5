package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The service that the tables belong to. Two services in the same tables would take each other's events, tokens and letters for
 * their own.
 */
final class LogOwner {

    private LogOwner() {}

    /**
     * Makes the service the owner of a log that has none.
     *
     * @throws PermanentException if the log is another service's
     */
    static void claim(Database database, String service) {
        String owner = database.read("reading whose log it is", LogOwner::find)
                .orElseGet(() -> database.write(
                        "making the log the service's own", connection -> setOwnerIfAbsent(connection, service)));
        if (!service.equals(owner)) {
            throw new PermanentException(
                    "the tables of this database belong to service " + owner + ", and service " + service
                            + " cannot share them: each would take the other's events for its own. Give " + service
                            + " a database or a schema of its own; if it is " + owner
                            + " under a new name, let it keep the old one, which is part of what its events are recognised by");
        }
    }

    private static String setOwnerIfAbsent(Connection connection, String service) throws SQLException {
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
