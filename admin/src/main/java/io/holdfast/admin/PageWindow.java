package io.holdfast.admin;

import java.util.Optional;

/** Counts what passes by, and says which of it is on the page. For one thread. */
final class PageWindow {

    private final long first;
    private final long end;
    private long seen;

    /** @param skipped how many come before the page */
    PageWindow(long skipped, int limit) {
        this.first = skipped;
        this.end = skipped + limit;
    }

    /** The part of what passed by that is on the page. */
    record Part(int from, int count) {}

    /** So many pass by; empty if none of them is on the page. */
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

    /** How many have passed by. */
    long seen() {
        return seen;
    }
}
