package io.holdfast.jdbc;

import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Stores the positions of a token in one column, so that an advance updates one row for any number of streams. */
final class PositionJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, StoredPosition>> ENTRIES = new TypeReference<>() {};

    private PositionJson() {}

    static String write(Map<String, StreamPosition> positions) {
        return JSON.writeValueAsString(entries(positions));
    }

    static Map<String, StreamPosition> read(String json) {
        return positions(JSON.readValue(json, ENTRIES));
    }

    static Map<String, StoredPosition> entries(Map<String, StreamPosition> positions) {
        Map<String, StoredPosition> entries = new TreeMap<>();
        positions.forEach((stream, position) -> entries.put(
                stream,
                new StoredPosition(position.log().id(), position.log().epoch(), position.position(), position.id())));
        return entries;
    }

    static Map<String, StreamPosition> positions(Map<String, StoredPosition> entries) {
        Map<String, StreamPosition> positions = new TreeMap<>();
        entries.forEach((stream, entry) -> positions.put(
                stream, new StreamPosition(new LogIdentity(entry.log(), entry.epoch()), entry.position(), entry.id())));
        return positions;
    }

    /** The stored form of a position. */
    record StoredPosition(UUID log, int epoch, long position, @Nullable UUID id) {}
}
