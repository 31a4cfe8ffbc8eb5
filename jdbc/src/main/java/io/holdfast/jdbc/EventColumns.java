package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPlace;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** How an event stands in a row. */
final class EventColumns {

    /** What an event has before it is placed. */
    static final String CONTENT =
            "event_id, source, stream, aggregate_key, key_sequence, occurred_at, event_type, revision, metadata, payload";

    static final String ALL = CONTENT + ", log_position, previous_position, previous_id";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private EventColumns() {}

    static EventMessage event(ResultSet row, LogIdentity log) throws SQLException {
        LogPlace place = new LogPlace(
                log, row.getLong("log_position"), row.getLong("previous_position"), uuid(row, "previous_id"));
        return draft(row).at(place);
    }

    static EventDraft draft(ResultSet row) throws SQLException {
        return new EventDraft(
                row.getObject("event_id", UUID.class),
                row.getString("source"),
                new AggregateKey(row.getString("stream"), row.getString("aggregate_key")),
                row.getLong("key_sequence"),
                row.getObject("occurred_at", OffsetDateTime.class).toInstant(),
                Metadata.of(JSON.readValue(row.getString("metadata"), STRINGS)),
                new Payload(row.getString("event_type"), row.getInt("revision"), row.getString("payload")));
    }

    /** Sets the content from a parameter on, and gives the number of the next one. */
    static int setContent(PreparedStatement statement, int first, EventDraft draft) throws SQLException {
        int next = first;
        statement.setObject(next++, draft.id());
        statement.setString(next++, draft.source());
        statement.setString(next++, draft.key().stream());
        statement.setString(next++, draft.key().key());
        statement.setLong(next++, draft.sequence());
        statement.setObject(next++, timestamp(draft.occurredAt()));
        statement.setString(next++, draft.payload().type());
        statement.setInt(next++, draft.payload().revision());
        statement.setString(next++, metadata(draft.metadata()));
        statement.setString(next++, draft.payload().json());
        return next;
    }

    static String metadata(Metadata metadata) {
        return JSON.writeValueAsString(metadata.asMap());
    }

    /** As precise as the databases keep it, so that what is answered is what is read later. */
    static EventDraft asKept(EventDraft draft) {
        Instant kept = draft.occurredAt().truncatedTo(ChronoUnit.MICROS);
        return new EventDraft(
                draft.id(), draft.source(), draft.key(), draft.sequence(), kept, draft.metadata(), draft.payload());
    }

    static OffsetDateTime timestamp(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    static @Nullable UUID uuid(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }
}
