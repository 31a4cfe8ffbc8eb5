package io.holdfast.event;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The stored elements of an array that are equal in all that their class knows. Each one is matched at most once. */
final class EqualElements {

    final JsonNode known;
    private final List<JsonNode> stored = new ArrayList<>();
    private int matched;

    EqualElements(JsonNode known) {
        this.known = known;
    }

    void add(JsonNode element) {
        stored.add(element);
    }

    /** Returns the next element, or null if all are matched. */
    @Nullable
    JsonNode next() {
        return matched < stored.size() ? stored.get(matched++) : null;
    }

    Stream<JsonNode> leftOver() {
        return stored.subList(matched, stored.size()).stream();
    }

    /** Returns whether some elements were removed, and it matters which ones. */
    boolean isAmbiguous() {
        return matched > 0
                && matched < stored.size()
                && stored.stream().distinct().count() > 1;
    }
}
