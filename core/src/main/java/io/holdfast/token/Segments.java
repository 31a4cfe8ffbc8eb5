package io.holdfast.token;

import io.holdfast.event.SequenceHash;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Partitions sequence hashes into segments: a segment covers the hashes whose masked value equals its number. */
public final class Segments {

    private Segments() {}

    public static boolean covers(int hash, int number, int mask) {
        return (hash & mask) == number;
    }

    /** Returns the hash of a sequence identifier, which is the same on every machine and in every version. */
    public static int hash(String sequence) {
        return SequenceHash.of(sequence);
    }

    /** Returns the number of the new segment when this one is split. */
    public static int splitOff(int number, int mask) {
        return number + mask + 1;
    }

    public static int splitMask(int mask) {
        return mask << 1 | 1;
    }

    /** Returns the number of the only segment that this one can be merged with, provided that their masks are equal. */
    public static int sibling(int number, int mask) {
        return number ^ (mask + 1) >>> 1;
    }

    /** Returns the masks, by number, of {@code count} segments. Splits the largest segment until there are enough. */
    public static NavigableMap<Integer, Integer> of(int count) {
        NavigableMap<Integer, Integer> masks = new TreeMap<>();
        masks.put(0, 0);
        while (masks.size() < count) {
            Map.Entry<Integer, Integer> widest = masks.entrySet().stream()
                    .min(Map.Entry.<Integer, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow();
            int number = widest.getKey();
            int mask = widest.getValue();
            masks.put(number, splitMask(mask));
            masks.put(splitOff(number, mask), splitMask(mask));
        }
        return masks;
    }
}
