package io.holdfast.processing.replay;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Selects parked sequences of a component for a replay, each once. Not thread-safe. */
interface ReplaySelection {

    /** Returns the number of sequences examined so far. */
    long examined();

    /** Returns whether nothing is left to examine. */
    boolean isExhausted();

    void beginStep();

    /** Starts over after a failure. Sequences that were selected already are not selected again. */
    void startOver();

    /**
     * @param isInProgress whether a sequence is being replayed already
     * @return the next sequence; null if none is left, or enough were examined in this step
     */
    @Nullable
    ParkedSequence next(Predicate<SequenceId> isInProgress);
}
