package io.holdfast.processing.replay;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Selects one named sequence, also if its replay was requested before: all callers get the same outcome. */
final class OneSequence implements ReplaySelection {

    private final DeadLetterStore store;
    private final SequenceId id;
    private boolean exhausted;
    private long examined;

    OneSequence(DeadLetterStore store, SequenceId id) {
        this.store = store;
        this.id = id;
    }

    @Override
    public long examined() {
        return examined;
    }

    @Override
    public boolean isExhausted() {
        return exhausted;
    }

    @Override
    public void beginStep() {}

    @Override
    public void startOver() {} // it is exhausted only after the store has responded

    @Override
    public @Nullable ParkedSequence next(Predicate<SequenceId> isInProgress) {
        if (exhausted) {
            return null;
        }
        ParkedSequence found = store.find(id).orElse(null);
        exhausted = true;
        examined = found == null ? 0 : 1;
        return found;
    }
}
