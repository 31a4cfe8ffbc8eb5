package io.holdfast.jdbc;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.Mark;
import io.holdfast.token.SegmentSetup;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Stores the marks and the setup of a segment as JSON, each in one column. */
final class TokenJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<List<Mark>> MARKS = new TypeReference<>() {};
    private static final String NO_MARKS = "[]";
    private static final Comparator<Mark> ORDER =
            Comparator.comparing(Mark::stream).thenComparing(Mark::position).thenComparing(Mark::component);

    private TokenJson() {}

    static String marks(Collection<Mark> marks) {
        return marks.isEmpty()
                ? NO_MARKS
                : JSON.writeValueAsString(marks.stream().sorted(ORDER).toList());
    }

    static Set<Mark> marks(String json) {
        return json.equals(NO_MARKS) ? Set.of() : new HashSet<>(JSON.readValue(json, MARKS));
    }

    static String setup(SegmentSetup setup) {
        Map<String, Map<String, PositionJson.StoredPosition>> components = new TreeMap<>();
        setup.components().forEach((component, start) -> components.put(component, PositionJson.entries(start)));
        return JSON.writeValueAsString(new StoredSetup(
                setup.mask(), setup.generation(), setup.policy(), components, entries(setup.starts()), setup.paused()));
    }

    static SegmentSetup setup(String json) {
        StoredSetup entry = JSON.readValue(json, StoredSetup.class);
        Map<String, Map<String, StreamPosition>> components = new HashMap<>();
        entry.components().forEach((component, start) -> components.put(component, PositionJson.positions(start)));
        return new SegmentSetup(
                entry.mask(), entry.generation(), entry.policy(), components, starts(entry.starts()), entry.paused());
    }

    private static Map<Integer, Map<String, PositionJson.StoredPosition>> entries(
            Map<Integer, Map<String, StreamPosition>> starts) {
        Map<Integer, Map<String, PositionJson.StoredPosition>> entries = new TreeMap<>();
        starts.forEach((generation, start) -> entries.put(generation, PositionJson.entries(start)));
        return entries;
    }

    /** @param entries null in a setup that an earlier release has stored */
    private static Map<Integer, Map<String, StreamPosition>> starts(
            @Nullable Map<Integer, Map<String, PositionJson.StoredPosition>> entries) {
        Map<Integer, Map<String, StreamPosition>> starts = new HashMap<>();
        if (entries != null) {
            entries.forEach((generation, start) -> starts.put(generation, PositionJson.positions(start)));
        }
        return starts;
    }

    private record StoredSetup(
            int mask,
            int generation,
            String policy,
            Map<String, Map<String, PositionJson.StoredPosition>> components,
            @Nullable Map<Integer, Map<String, PositionJson.StoredPosition>> starts,
            boolean paused) {}
}
