package io.holdfast.processing;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Chooses parked sequences of a component to be processed, each once. For one thread. */
interface ReplaySelection {

    /** How many sequences were looked at. */
    long examined();

    /** Whether there is nothing more to look at. */
    boolean isExhausted();

    void beginStep();

    /** After a failure: what was chosen already is not chosen again. */
    void startOver();

    /**
     * @param isBegun which ones are being processed for somebody already
     * @return null if there is none, or enough was looked at for now
     */
    @Nullable
    ParkedSequence next(Predicate<SequenceId> isBegun);
}
