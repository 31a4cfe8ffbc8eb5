package io.holdfast.wire.source;

import io.holdfast.event.EventMessage;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Buffers records that arrived behind a gap, bounded by count and size. Not thread-safe. */
final class WaitingRecords {

    static final int MAX_RECORDS = 10_000;
    static final long MAX_CHARACTERS = 16 * 1024 * 1024;

    private final Deque<EventMessage> records = new ArrayDeque<>();
    private long characters;

    boolean isEmpty() {
        return records.isEmpty();
    }

    /** Returns how many more records may be added. A single batch may exceed the size limit. */
    int room() {
        return characters < MAX_CHARACTERS ? MAX_RECORDS - records.size() : 0;
    }

    void add(Collection<EventMessage> more) {
        for (EventMessage record : more) {
            records.addLast(record);
            characters += size(record);
        }
    }

    @Nullable
    EventMessage first() {
        return records.peekFirst();
    }

    void removeFirst() {
        characters -= size(records.removeFirst());
    }

    void removeIf(Predicate<EventMessage> unwanted) {
        records.removeIf(record -> {
            boolean isUnwanted = unwanted.test(record);
            characters -= isUnwanted ? size(record) : 0;
            return isUnwanted;
        });
    }

    private static long size(EventMessage record) {
        return record.payload().json().length();
    }
}
