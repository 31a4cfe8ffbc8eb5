package io.holdfast.deadletter;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an {@link EnqueuePolicy} can answer. */
public final class Decisions {

    private Decisions() {}

    /** Parks the event, or leaves it parked, with this cause. */
    public static EnqueueDecision enqueue(Throwable cause) {
        return requeue(cause, DeadLetter::diagnostics);
    }

    /**
     * Leaves the letter at the head of its sequence, with this cause and other diagnostics.
     *
     * @param diagnostics the new ones, given the letter as it was
     */
    public static EnqueueDecision requeue(Throwable cause, Function<DeadLetter, Map<String, String>> diagnostics) {
        return new Decision(true, cause, diagnostics);
    }

    /** Leaves the letter as it was, to be tried again when all others had their turn. */
    public static EnqueueDecision ignore() {
        return new Decision(true, null, DeadLetter::diagnostics);
    }

    /** Skips an event whose first handling has failed. It is counted and logged. */
    public static EnqueueDecision doNotEnqueue() {
        return new Decision(false, null, DeadLetter::diagnostics);
    }

    /** Removes a letter for good. It is counted and logged. */
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
