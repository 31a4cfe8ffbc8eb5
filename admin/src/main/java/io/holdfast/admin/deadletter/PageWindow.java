package io.holdfast.admin.deadletter;

import java.util.Optional;

/** Counts entries and determines which of them are on the page. Not thread-safe. */
final class PageWindow {

    private final long first;
    private final long end;
    private long seen;

    /** @param offset the number of entries before the page */
    PageWindow(long offset, int limit) {
        this.first = offset;
        this.end = offset + limit;
    }

    /** The part of the accepted entries that is on the page. */
    record Part(int from, int count) {}

    /** Accepts the next entries. Returns the part that is on the page; empty if no entry is. */
    Optional<Part> accept(int count) {
        long from = Math.max(first, seen);
        long to = Math.min(end, seen + count);
        int before = (int) Math.min(Integer.MAX_VALUE, from - seen);
        seen += count;
        return from < to ? Optional.of(new Part(before, (int) (to - from))) : Optional.empty();
    }

    boolean isFull() {
        return seen >= end;
    }

    /** Returns the number of entries accepted so far. */
    long seen() {
        return seen;
    }
}
