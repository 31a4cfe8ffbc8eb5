package io.holdfast.jdbc;

import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import io.holdfast.deadletter.entry.EntryStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps letters to entries, without their payloads. */
final class EntryRows {

    private static final String LETTER = "l.number, l.event_id, l.event_type, l.source, l.stream, l.aggregate_key,"
            + " l.saga_id, l.correlation_id, l.cause_type, l.cause_message, l.attempts as letter_attempts,"
            + " l.enqueued_at, l.last_touched, l.failed_replays";

    /** Counts the letters before it only if some were removed from the middle of the sequence. */
    private static final String POSITION = "case when s.last_letter - s.first_letter + 1 = s.size"
            + " then l.number - s.first_letter + 1 else (select count(*) from holdfast_letter p"
            + " where p.component = l.component and p.sequence = l.sequence and p.number <= l.number) end as place";

    /** The columns of a letter {@code l} in a parked sequence {@code s}. */
    static final String PARKED = SequenceRows.COLUMNS + ", " + LETTER + ", " + POSITION;

    /** The columns of a letter {@code l} that filters examine. */
    static final String EXAMINED =
            "l.event_id, l.saga_id, l.correlation_id, l.event_type, l.aggregate_key, l.cause_type,"
                    + " l.cause_message";

    /** The columns of a resolved letter {@code l}. */
    static final String RESOLVED = "l.component, l.sequence, " + LETTER
            + ", l.consumer, l.cause_group, l.escalated, l.status, l.detail, l.replay_count, l.action_id, l.resolved_at";

    private EntryRows() {}

    /** Maps a row. */
    interface Mapping<T> {
        T map(ResultSet row) throws SQLException;
    }

    static <T> List<T> query(Connection connection, Sql sql, Mapping<T> mapping) throws SQLException {
        try (PreparedStatement query = sql.prepare(connection);
                ResultSet row = query.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (row.next()) {
                found.add(mapping.map(row));
            }
            return found;
        }
    }

    /**
     * Counts letters one by one, up to a limit.
     *
     * @param letters selects them, before the filters that examine letters
     */
    static EntryCount count(Connection connection, EntryQuery query, Sql letters) throws SQLException {
        int limit = EntryStore.MAX_COUNTED;
        Sql sql = new Sql("select count(*) as examined, count(case when 1 = 1")
                .append(EntryConditions.filters(query, "l"))
                .append(" then 1 end) as matching from (")
                .append(letters)
                .append(" limit ?) l", limit + 1);
        return query(
                        connection,
                        sql,
                        row -> new EntryCount(
                                Math.min(row.getLong("matching"), limit), row.getLong("examined") > limit))
                .get(0);
    }

    static Entry parked(ResultSet row) throws SQLException {
        ParkedSequence sequence = SequenceRows.sequence(row);
        List<Attempt> attempts = LetterJson.attempts(row.getString("letter_attempts"));
        int position = row.getInt("place");
        return new Entry(
                new LetterId(sequence.id(), row.getLong("number")),
                EntryStatus.of(sequence.state()),
                sequence.consumer(),
                event(row),
                failure(row, attempts),
                position == 1 ? sequence.attempts() : attempts.size(),
                row.getInt("failed_replays"),
                sequence.escalated(),
                sequence.causeGroup(),
                EventColumns.instant(row, "enqueued_at"),
                EventColumns.instant(row, "last_touched"),
                Entry.Parked.at(position, sequence),
                null,
                sequence.since());
    }

    static Entry resolved(ResultSet row) throws SQLException {
        List<Attempt> attempts = LetterJson.attempts(row.getString("letter_attempts"));
        Instant at = EventColumns.instant(row, "resolved_at");
        return new Entry(
                new LetterId(
                        new SequenceId(row.getString("component"), row.getString("sequence")), row.getLong("number")),
                EntryStatus.of(ResolvedLetter.Status.valueOf(row.getString("status")))
                        .orElseThrow(),
                row.getString("consumer"),
                event(row),
                failure(row, attempts),
                attempts.size(),
                row.getInt("replay_count"),
                row.getBoolean("escalated"),
                row.getString("cause_group"),
                EventColumns.instant(row, "enqueued_at"),
                EventColumns.instant(row, "last_touched"),
                null,
                new Entry.Resolution(at, row.getString("detail"), row.getString("action_id")),
                at);
    }

    private static Entry.Event event(ResultSet row) throws SQLException {
        return new Entry.Event(
                row.getObject("event_id", UUID.class),
                row.getString("event_type"),
                row.getString("source"),
                row.getString("stream"),
                row.getString("aggregate_key"),
                row.getString("saga_id"),
                row.getString("correlation_id"));
    }

    private static Entry.@Nullable Failure failure(ResultSet row, List<Attempt> attempts) throws SQLException {
        String type = row.getString("cause_type");
        return type == null
                ? null
                : Entry.Failure.of(
                        type, row.getString("cause_message"), attempts, EventColumns.instant(row, "last_touched"));
    }
}
