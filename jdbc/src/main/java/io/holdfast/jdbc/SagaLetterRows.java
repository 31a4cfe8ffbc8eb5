package io.holdfast.jdbc;

import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SagaLetters;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds letters by saga. The database generates {@code saga_id} from the metadata of the letter, so every replica that
 * inserts a letter fills it in, whatever its version.
 */
final class SagaLetterRows {

    private static final String ORDER = "case when s.state = '" + SequenceState.PENDING.name()
            + "' then 0 else 1 end, l.enqueued_at, l.component, l.sequence, l.number";

    private SagaLetterRows() {}

    /** Reads only the letters of these sagas and their sequences, by index. */
    static Map<String, SagaLetters> find(Connection connection, Dialect dialect, Collection<String> sagaIds, int most)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(select(dialect))) {
            query.setArray(1, connection.createArrayOf("varchar", sagaIds.toArray(String[]::new)));
            query.setInt(2, most);
            Map<String, List<SagaLetter>> letters = new HashMap<>();
            Map<String, Integer> counts = new HashMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    String saga = row.getString("saga");
                    letters.computeIfAbsent(saga, unused -> new ArrayList<>()).add(letter(row));
                    counts.put(saga, row.getInt("letters"));
                }
            }
            Map<String, SagaLetters> found = new HashMap<>();
            counts.forEach(
                    (saga, count) -> found.put(saga, new SagaLetters(letters.getOrDefault(saga, List.of()), count)));
            return found;
        }
    }

    private static String select(Dialect dialect) {
        String letters = dialect.joinByKeys(
                "unnest(" + dialect.array("varchar") + ") as k(saga)", "holdfast_letter", "l", "l.saga_id = k.saga");
        String parked = dialect.joinByKeys(
                letters, "holdfast_sequence", "s", "s.component = l.component and s.sequence = l.sequence");
        return "select r.* from (select k.saga, l.component, l.sequence, l.number, l.event_id, l.enqueued_at,"
                + " s.consumer, s.state, s.first_letter, count(*) over (partition by k.saga) as letters,"
                + " row_number() over (partition by k.saga order by " + ORDER + ") as place from " + parked
                + ") r where r.place <= ? order by r.saga, r.place";
    }

    private static SagaLetter letter(ResultSet row) throws SQLException {
        long number = row.getLong("number");
        return new SagaLetter(
                new LetterId(new SequenceId(row.getString("component"), row.getString("sequence")), number),
                row.getObject("event_id", UUID.class),
                row.getString("consumer"),
                SequenceState.valueOf(row.getString("state")),
                number == row.getLong("first_letter"),
                EventColumns.instant(row, "enqueued_at"));
    }
}
