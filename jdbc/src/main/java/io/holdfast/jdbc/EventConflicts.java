package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the units that violated a unique constraint. Runs only after a violation: a healthy batch needs no extra query.
 */
final class EventConflicts {

    private final Dialect dialect;

    EventConflicts(Dialect dialect) {
        this.dialect = dialect;
    }

    /** @param connection a new transaction: the failed one accepts no further query */
    List<Rejection> find(Connection connection, List<UnitWrites> units) throws SQLException {
        Set<UUID> existing = existing(connection, units);
        List<Rejection> rejections = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            for (EventDraft event : units.get(unit).events()) {
                if (existing.contains(event.id())) {
                    PermanentException exists = new PermanentException("event " + event.id() + " already exists");
                    rejections.add(new Rejection(unit, Rejection.Kind.DUPLICATE, exists));
                    break;
                }
            }
        }
        return rejections.isEmpty() ? allInConflict(units) : rejections;
    }

    private static List<Rejection> allInConflict(List<UnitWrites> units) {
        List<Rejection> rejections = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            rejections.add(new Rejection(
                    unit,
                    Rejection.Kind.CONFLICT,
                    new PermanentException("a key or row of the batch has changed since it was checked")));
        }
        return rejections;
    }

    private Set<UUID> existing(Connection connection, List<UnitWrites> units) throws SQLException {
        Object[] ids = units.stream()
                .flatMap(unit -> unit.events().stream())
                .map(EventDraft::id)
                .toArray();
        try (PreparedStatement query = connection.prepareStatement("select e.event_id from unnest("
                + dialect.array("uuid") + ") as k(id) join holdfast_event e on e.event_id = k.id")) {
            query.setArray(1, connection.createArrayOf("uuid", ids));
            Set<UUID> found = new HashSet<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(row.getObject(1, UUID.class));
                }
            }
            return found;
        }
    }
}
