package io.holdfast.processing;

import io.holdfast.deadletter.SequenceId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One sequence that somebody has asked to be processed, and who is told what came of it. For the coordinator's thread. */
final class SequenceReplay {

    /** What came of it. */
    enum Outcome {
        DRAINED,
        FAILED_AGAIN,
        /** Nothing is known: the segment was given up meanwhile. */
        LOST
    }

    private final SequenceId id;
    private final List<Consumer<Outcome>> listeners = new ArrayList<>();

    SequenceReplay(SequenceId id, Consumer<Outcome> told) {
        this.id = id;
        this.listeners.add(told);
    }

    SequenceId id() {
        return id;
    }

    /** Another has asked for the same; it gets the same answer. */
    void addListenersOf(SequenceReplay other) {
        listeners.addAll(other.listeners);
    }

    void complete(Outcome outcome) {
        listeners.forEach(listener -> listener.accept(outcome));
    }
}
