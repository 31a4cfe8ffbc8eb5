package io.holdfast.deadletter;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The standard decisions of an {@link EnqueuePolicy}. */
public final class Decisions {

    private Decisions() {}

    /** Parks the event, or keeps its letter parked, with this cause. */
    public static EnqueueDecision enqueue(Throwable cause) {
        return requeue(cause, DeadLetter::diagnostics);
    }

    /**
     * Keeps the letter first in its sequence, with this cause and new diagnostics.
     *
     * @param diagnostics computes the new diagnostics from the previous letter
     */
    public static EnqueueDecision requeue(Throwable cause, Function<DeadLetter, Map<String, String>> diagnostics) {
        return new Decision(true, cause, diagnostics);
    }

    /** Keeps the letter unchanged. Its next attempt comes after those of all other sequences. */
    public static EnqueueDecision ignore() {
        return new Decision(true, null, DeadLetter::diagnostics);
    }

    /** Skips an event whose first attempt failed, instead of parking it. Skipped events are counted and logged. */
    public static EnqueueDecision doNotEnqueue() {
        return new Decision(false, null, DeadLetter::diagnostics);
    }

    /** Removes a letter permanently. Evicted letters are counted and logged. */
    public static EnqueueDecision evict() {
        return doNotEnqueue();
    }

    private record Decision(
            boolean shouldEnqueue,
            @Nullable Throwable newCause,
            Function<DeadLetter, Map<String, String>> newDiagnostics)
            implements EnqueueDecision {

        @Override
        public Optional<Throwable> cause() {
            return Optional.ofNullable(newCause);
        }

        @Override
        public Map<String, String> diagnostics(DeadLetter letter) {
            return newDiagnostics.apply(letter);
        }
    }
}
