package io.holdfast.tck.harness;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import java.util.EnumSet;
import java.util.List;

/** Reads parked sequences in any state and without a limit. */
public final class StoredSequences {

    private StoredSequences() {}

    public static List<ParkedSequence> findAll(DeadLetterStore store, String consumer) {
        return findBySegment(store, consumer, 0, 0);
    }

    public static List<ParkedSequence> findBySegment(DeadLetterStore store, String consumer, int number, int mask) {
        return store.findSequences(consumer, number, mask, EnumSet.allOf(SequenceState.class), Integer.MAX_VALUE);
    }
}
