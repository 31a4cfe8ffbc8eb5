package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.Refusal;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Says which units a violated uniqueness of letters was about. Only after it happened: a healthy batch asks nothing. Such a
 * unit is wrong about what is parked; unlike a duplicate event it does not mean that the unit was committed before.
 */
final class ParkedTwice {

    private final Database database;

    ParkedTwice(Database database) {
        this.database = database;
    }

    /** @param rollback ends the transaction that failed, which can answer nothing any more */
    List<Refusal> find(List<UnitWrites> units, Runnable rollback) {
        rollback.run();
        Set<ParkedEvent> parked = parked(units);
        List<Refusal> refusals = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            Optional<ParkedEvent> twice = added(units.get(unit)).stream()
                    .map(ParkedEvent::of)
                    .filter(parked::contains)
                    .findFirst();
            if (twice.isPresent()) {
                refusals.add(refusal(
                        unit,
                        "event " + twice.get().event() + " is parked already by component "
                                + twice.get().component()));
            }
        }
        return refusals.isEmpty() ? allThatPark(units) : refusals;
    }

    private static List<Refusal> allThatPark(List<UnitWrites> units) {
        List<Refusal> refusals = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            if (!units.get(unit).letters().isEmpty()) {
                refusals.add(refusal(unit, "one of the sequences has a letter of such a number or event already"));
            }
        }
        return refusals;
    }

    private static Refusal refusal(int unit, String why) {
        return new Refusal(unit, Refusal.Kind.REJECTED, new PermanentException(why));
    }

    private static List<DeadLetter> added(UnitWrites unit) {
        return unit.letters().added();
    }

    private Set<ParkedEvent> parked(List<UnitWrites> units) {
        List<ParkedEvent> wanted = units.stream()
                .flatMap(unit -> added(unit).stream())
                .map(ParkedEvent::of)
                .toList();
        Dialect dialect = database.dialect();
        return database.read("looking for letters", connection -> {
            try (PreparedStatement query = connection.prepareStatement("select l.component, l.event_id from unnest("
                    + dialect.array("varchar") + ", " + dialect.array("uuid") + ") as k(c, e)"
                    + " join holdfast_letter l on l.component = k.c and l.event_id = k.e")) {
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
        });
    }
}
