package io.holdfast.memory;

import io.holdfast.commit.RowWrite;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowIndex;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of one view with their index. Not thread-safe. */
final class InMemoryView {

    private static final Comparator<RowCursor> BY_TIME =
            Comparator.comparing(RowCursor::at).thenComparing(RowCursor::key);

    private final NavigableMap<String, Row> rows = new TreeMap<>();
    private final Map<String, RowIndex> places = new HashMap<>();
    private final NavigableSet<RowCursor> due = new TreeSet<>(BY_TIME);
    private final Map<String, NavigableSet<RowCursor>> tagged = new HashMap<>();

    @Nullable
    Row find(String key) {
        return rows.get(key);
    }

    List<Row> page(String afterKey, int limit) {
        return rows.tailMap(afterKey, false).values().stream()
                .filter(row -> row.value() != null)
                .limit(limit)
                .toList();
    }

    void put(RowWrite write) {
        String key = write.key().key();
        rows.put(key, new Row(write.key(), write.version(), write.value()));
        removePlace(key);
        RowIndex place = write.index();
        if (!place.equals(RowIndex.NONE)) {
            places.put(key, place);
        }
        if (place.dueAt() != null) {
            due.add(new RowCursor(place.dueAt(), key));
        }
        if (place.tag() != null && place.at() != null) {
            tagged.computeIfAbsent(place.tag(), unknown -> new TreeSet<>(BY_TIME))
                    .add(new RowCursor(place.at(), key));
        }
    }

    /** @return whether the row existed and had not changed */
    boolean purge(Row row) {
        String key = row.key().key();
        Row current = rows.get(key);
        if (current == null || current.version() != row.version()) {
            return false;
        }
        rows.remove(key);
        removePlace(key);
        return true;
    }

    private void removePlace(String key) {
        RowIndex place = places.remove(key);
        if (place == null) {
            return;
        }
        if (place.dueAt() != null) {
            due.remove(new RowCursor(place.dueAt(), key));
        }
        if (place.tag() != null && place.at() != null) {
            taggedWith(place.tag()).remove(new RowCursor(place.at(), key));
        }
    }

    List<Row> findDue(Instant now, int limit) {
        return due.stream()
                .takeWhile(row -> !row.at().isAfter(now))
                .limit(limit)
                .flatMap(this::row)
                .toList();
    }

    Optional<Instant> findNextDue() {
        return due.stream().findFirst().map(RowCursor::at);
    }

    List<Row> findTagged(Collection<String> tags, @Nullable RowCursor after, int limit) {
        return tags.stream()
                .distinct()
                .flatMap(tag -> newestFirst(tag, after).limit(limit))
                .sorted(BY_TIME.reversed())
                .limit(limit)
                .flatMap(this::row)
                .toList();
    }

    private Stream<RowCursor> newestFirst(String tag, @Nullable RowCursor after) {
        NavigableSet<RowCursor> rowsOfTag = taggedWith(tag);
        return (after == null ? rowsOfTag : rowsOfTag.headSet(after, false)).descendingSet().stream();
    }

    Map<String, String> findTags(Collection<String> keys) {
        Map<String, String> found = new HashMap<>();
        for (String key : keys) {
            String tag = places.getOrDefault(key, RowIndex.NONE).tag();
            if (tag != null) {
                found.put(key, tag);
            }
        }
        return found;
    }

    long count(Collection<String> tags, long limit) {
        long count = tags.stream()
                .distinct()
                .mapToLong(tag -> taggedWith(tag).size())
                .sum();
        return Math.min(count, limit);
    }

    private NavigableSet<RowCursor> taggedWith(String tag) {
        return tagged.getOrDefault(tag, new TreeSet<>(BY_TIME));
    }

    private Stream<Row> row(RowCursor cursor) {
        return Stream.ofNullable(rows.get(cursor.key()));
    }
}
