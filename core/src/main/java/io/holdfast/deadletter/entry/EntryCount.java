package io.holdfast.deadletter.entry;

/**
 * A number of entries.
 *
 * @param count the number of entries that were counted
 * @param isAtLeast whether there may be more
 */
public record EntryCount(long count, boolean isAtLeast) {

    public static EntryCount exactly(long count) {
        return new EntryCount(count, false);
    }

    public EntryCount plus(EntryCount other) {
        return new EntryCount(count + other.count, isAtLeast || other.isAtLeast);
    }
}
