package io.holdfast.event;

/** The hash of a sequence identifier, which determines its segment. */
public final class SequenceHash {

    private SequenceHash() {}

    /** Returns the same hash on every machine and in every version. */
    public static int of(String sequence) {
        int hash = sequence.hashCode(); // specified by String's Javadoc, so it never changes
        hash ^= hash >>> 16; // similar keys differ in few bits
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }
}
