package io.holdfast.deadline.firing;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The due rows that a task leaves alone for a while, because an attempt failed. They stay due, so the store returns them
 * again; a query must ask for as many rows more. Not thread-safe.
 */
final class SkippedRows {

    private final Map<String, Instant> until = new HashMap<>();

    void skip(String rowKey, Instant end) {
        until.put(rowKey, end);
    }

    void remove(String rowKey) {
        until.remove(rowKey);
    }

    boolean contains(String rowKey) {
        return until.containsKey(rowKey);
    }

    int size() {
        return until.size();
    }

    /** Forgets the rows whose time has come. */
    void expire(Instant now) {
        until.values().removeIf(end -> !end.isAfter(now));
    }
}
