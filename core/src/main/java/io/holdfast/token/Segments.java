package io.holdfast.token;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** How hashes are shared out: a segment has those that, masked, are its number. */
public final class Segments {

    private Segments() {}

    public static boolean covers(int hash, int number, int mask) {
        return (hash & mask) == number;
    }

    /** The hash of a sequence identifier, the same on every machine and in every version. */
    public static int hash(String sequence) {
        int hash = sequence.hashCode(); // specified by the language
        hash ^= hash >>> 16; // similar keys differ in few bits
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }

    /** The number of the segment that is split off. */
    public static int splitOff(int number, int mask) {
        return number + mask + 1;
    }

    public static int splitMask(int mask) {
        return mask << 1 | 1;
    }

    /** The number of the only segment that this one can be merged with, if that has the same mask. */
    public static int sibling(int number, int mask) {
        return number ^ (mask + 1) >>> 1;
    }

    /** Masks by number, for any number of segments: the largest shares are split until there are enough. */
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
