package io.holdfast.processing.segment;

import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requested replay of one sequence, with the listeners for its outcome. Used by the coordinator's thread only. */
public final class SequenceReplay {

    private final SequenceId id;
    private @Nullable String action;
    private final List<Consumer<Optional<SequenceOutcome>>> listeners = new ArrayList<>();
    private final List<LetterOutcome> letters = new ArrayList<>();

    /** @param listener gets the outcome; empty if it is unknown, because the segment was abandoned meanwhile */
    public SequenceReplay(SequenceId id, Consumer<Optional<SequenceOutcome>> listener) {
        this(id, null, listener);
    }

    /**
     * @param action the action that requests the replay; null if code requests it
     * @param listener gets the outcome; empty if it is unknown, because the segment was abandoned meanwhile
     */
    public SequenceReplay(SequenceId id, @Nullable String action, Consumer<Optional<SequenceOutcome>> listener) {
        this.id = id;
        this.action = action;
        this.listeners.add(listener);
    }

    SequenceId id() {
        return id;
    }

    @Nullable
    String action() {
        return action;
    }

    /** Adds the listeners of another request for the same sequence; they get the same outcome. */
    public void addListenersOf(SequenceReplay other) {
        listeners.addAll(other.listeners);
        action = action == null ? other.action : action;
    }

    /** Adds the outcomes of letters, which are durable. */
    public void add(List<LetterOutcome> committed) {
        letters.addAll(committed);
    }

    /** Completes the replay. Its outcomes are those of the letters that were added. */
    public void complete(boolean drained) {
        complete(Optional.of(new SequenceOutcome(drained, letters)));
    }

    /** Completes the replay with an unknown outcome. */
    void abandon() {
        complete(Optional.empty());
    }

    private void complete(Optional<SequenceOutcome> outcome) {
        listeners.forEach(listener -> listener.accept(outcome));
    }
}
