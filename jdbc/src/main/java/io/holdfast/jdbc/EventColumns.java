package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
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

/** Maps events to columns. */
final class EventColumns {

    /** The columns of an event that has no position yet. */
    static final String CONTENT =
            "event_id, source, stream, aggregate_key, key_version, occurred_at, event_type, revision, metadata, payload";

    static final String ALL = CONTENT + ", log_position, previous_position, previous_id";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private EventColumns() {}

    /** Reads an event as it was written, without validating it against the limits of a service. */
    static EventMessage event(ResultSet row, LogIdentity log) throws SQLException {
        LogPosition position = new LogPosition(
                log, row.getLong("log_position"), row.getLong("previous_position"), uuid(row, "previous_id"));
        return new EventMessage(
                row.getObject("event_id", UUID.class),
                row.getString("source"),
                row.getString("stream"),
                row.getString("aggregate_key"),
                row.getLong("key_version"),
                instant(row, "occurred_at"),
                metadata(row),
                payload(row),
                position);
    }

    static EventDraft draft(ResultSet row) throws SQLException {
        return new EventDraft(
                row.getObject("event_id", UUID.class),
                row.getString("source"),
                new AggregateKey(row.getString("stream"), row.getString("aggregate_key")),
                row.getLong("key_version"),
                instant(row, "occurred_at"),
                metadata(row),
                payload(row));
    }

    /**
     * Sets the content columns.
     *
     * @param first the index of the first parameter
     * @return the index of the next parameter
     */
    static int setContent(PreparedStatement statement, int first, EventDraft draft) throws SQLException {
        AggregateKey key = draft.key();
        int next = setKey(statement, first, draft.id(), draft.source(), key.stream(), key.key());
        statement.setLong(next++, draft.version());
        return setContent(statement, next, draft.occurredAt(), draft.metadata(), draft.payload());
    }

    /** Does the same for an event that may come from another service's log. */
    static int setContent(PreparedStatement statement, int first, EventMessage event) throws SQLException {
        int next = setKey(statement, first, event.id(), event.source(), event.stream(), event.key());
        statement.setLong(next++, event.version());
        return setContent(statement, next, event.occurredAt(), event.metadata(), event.payload());
    }

    private static int setKey(PreparedStatement statement, int first, UUID id, String source, String stream, String key)
            throws SQLException {
        statement.setObject(first, id);
        statement.setString(first + 1, source);
        statement.setString(first + 2, stream);
        statement.setString(first + 3, key);
        return first + 4;
    }

    private static int setContent(
            PreparedStatement statement, int first, Instant occurredAt, Metadata metadata, Payload payload)
            throws SQLException {
        statement.setObject(first, timestamp(occurredAt));
        statement.setString(first + 1, payload.type());
        statement.setInt(first + 2, payload.revision());
        statement.setString(first + 3, metadata(metadata));
        statement.setString(first + 4, payload.json());
        return first + 5;
    }

    private static Metadata metadata(ResultSet row) throws SQLException {
        return Metadata.of(JSON.readValue(row.getString("metadata"), STRINGS));
    }

    private static Payload payload(ResultSet row) throws SQLException {
        return new Payload(row.getString("event_type"), row.getInt("revision"), row.getString("payload"));
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static String metadata(Metadata metadata) {
        return JSON.writeValueAsString(metadata.asMap());
    }

    /** Truncates the time to the databases' precision, so that the caller gets the same event as later readers. */
    static EventDraft withStoredPrecision(EventDraft draft) {
        Instant stored = draft.occurredAt().truncatedTo(ChronoUnit.MICROS);
        return new EventDraft(
                draft.id(), draft.source(), draft.key(), draft.version(), stored, draft.metadata(), draft.payload());
    }

    static OffsetDateTime timestamp(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    static @Nullable UUID uuid(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }
}
