package io.holdfast.processing.segment;

import io.holdfast.deadletter.SequenceId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The requested replay of one sequence, with the listeners for its outcome. Used by the coordinator's thread only. */
public final class SequenceReplay {

    /** The outcome of a replay. */
    public enum Outcome {
        DRAINED,
        FAILED_AGAIN,
        /** Unknown: the segment was abandoned meanwhile. */
        LOST
    }

    private final SequenceId id;
    private final List<Consumer<Outcome>> listeners = new ArrayList<>();

    public SequenceReplay(SequenceId id, Consumer<Outcome> listener) {
        this.id = id;
        this.listeners.add(listener);
    }

    SequenceId id() {
        return id;
    }

    /** Adds the listeners of another request for the same sequence; they get the same outcome. */
    public void addListenersOf(SequenceReplay other) {
        listeners.addAll(other.listeners);
    }

    public void complete(Outcome outcome) {
        listeners.forEach(listener -> listener.accept(outcome));
    }
}
