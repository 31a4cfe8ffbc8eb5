package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the units that violated a unique constraint on letters. Runs only after a violation: a healthy batch needs no
 * extra query. Such a unit was built on a wrong view of what is parked. Unlike a duplicate event, it does not indicate
 * that the unit was committed before.
 */
final class LetterConflicts {

    static final String LETTER_EXISTS = "one of the sequences already has a letter with the same number or event";

    private final Dialect dialect;

    LetterConflicts(Dialect dialect) {
        this.dialect = dialect;
    }

    /** @param connection a new transaction: the failed one accepts no further query */
    List<Rejection> find(Connection connection, List<UnitWrites> units) throws SQLException {
        Set<ParkedEvent> parked = parked(connection, units);
        List<Rejection> rejections = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            Optional<ParkedEvent> duplicate = added(units.get(unit)).stream()
                    .map(ParkedEvent::of)
                    .filter(parked::contains)
                    .findFirst();
            if (duplicate.isPresent()) {
                rejections.add(rejection(unit, message(duplicate.get())));
            }
        }
        return rejections.isEmpty() ? rejectAllParking(units) : rejections;
    }

    private static List<Rejection> rejectAllParking(List<UnitWrites> units) {
        List<Rejection> rejections = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            if (!units.get(unit).letters().isEmpty()) {
                rejections.add(rejection(unit, LETTER_EXISTS));
            }
        }
        return rejections;
    }

    private static Rejection rejection(int unit, String why) {
        return new Rejection(unit, Rejection.Kind.REJECTED, new PermanentException(why));
    }

    private static List<DeadLetter> added(UnitWrites unit) {
        return unit.letters().added();
    }

    private Set<ParkedEvent> parked(Connection connection, List<UnitWrites> units) throws SQLException {
        List<ParkedEvent> wanted = units.stream()
                .flatMap(unit -> added(unit).stream())
                .map(ParkedEvent::of)
                .toList();
        return parked(connection, dialect, wanted);
    }

    static String message(ParkedEvent duplicate) {
        return "event " + duplicate.event() + " is already parked by component " + duplicate.component();
    }

    /** @return the events that are parked */
    static Set<ParkedEvent> parked(Connection connection, Dialect dialect, Collection<ParkedEvent> wanted)
            throws SQLException {
        if (wanted.isEmpty()) {
            return Set.of();
        }
        String events = "unnest(" + dialect.array("varchar") + ", " + dialect.array("uuid") + ") as k(c, e)";
        try (PreparedStatement query = connection.prepareStatement("select l.component, l.event_id from "
                + dialect.joinByKeys(events, "holdfast_letter", "l", "l.component = k.c and l.event_id = k.e"))) {
            EventInserts.Columns<ParkedEvent> columns = new EventInserts.Columns<>(query, wanted);
            columns.set(1, "varchar", String[]::new, ParkedEvent::component);
            columns.set(2, "uuid", UUID[]::new, ParkedEvent::event);
            Set<ParkedEvent> found = new HashSet<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(new ParkedEvent(row.getString(1), row.getObject(2, UUID.class)));
                }
            }
            return found;
        }
    }
}
