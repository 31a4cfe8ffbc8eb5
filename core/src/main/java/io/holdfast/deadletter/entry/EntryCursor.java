package io.holdfast.deadletter.entry;

import java.time.Instant;
import java.util.Comparator;

/**
 * The place of an entry in a list. The order is total: newest time first, then component and sequence, both descending,
 * then the number of the letter, ascending. The letters of a parked sequence are therefore listed together, in their order.
 *
 * @param time of a parked entry, when the first letter of its sequence was parked
 *     ({@link io.holdfast.deadletter.ParkedSequence#since}); of a resolved one, when it was resolved
 * @param component the stable id of the component
 * @param sequence the sequence identifier
 * @param number the number of the letter in its sequence
 */
public record EntryCursor(Instant time, String component, String sequence, long number)
        implements Comparable<EntryCursor> {

    private static final Comparator<EntryCursor> ORDER = Comparator.comparing(EntryCursor::time)
            .thenComparing(EntryCursor::component, EntryCursor::compareCodePoints)
            .thenComparing(EntryCursor::sequence, EntryCursor::compareCodePoints)
            .reversed()
            .thenComparingLong(EntryCursor::number);

    @Override
    public int compareTo(EntryCursor other) {
        return ORDER.compare(this, other);
    }

    /** Compares as PostgreSQL does. {@link String#compareTo} orders supplementary characters differently. */
    private static int compareCodePoints(String one, String other) {
        int at = 0;
        int end = Math.min(one.length(), other.length());
        while (at < end && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        if (at == end) {
            return Integer.compare(one.length(), other.length());
        }
        boolean isSupplementary = Character.isSurrogate(one.charAt(at));
        return isSupplementary == Character.isSurrogate(other.charAt(at))
                ? Character.compare(one.charAt(at), other.charAt(at))
                : isSupplementary ? 1 : -1;
    }
}
