package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records that came over the wire and wait behind a gap: many, but not more than fit into memory. For one thread. */
final class WaitingRecords {

    static final int MAX_RECORDS = 10_000;
    static final long MAX_CHARACTERS = 16 * 1024 * 1024;

    private final Deque<EventMessage> records = new ArrayDeque<>();
    private long characters;

    boolean isEmpty() {
        return records.isEmpty();
    }

    /** How many more may come; those that come at once may be larger than what is left. */
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
