package io.holdfast.saga;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A declared step of a choreographed saga. Immutable.
 *
 * @param stepNumber counted from 0
 * @param event the type of the forward event; also the name of the step
 * @param compensation the type of the compensating event; null for the completing step, which is never undone
 * @param service the service that appends these events
 * @param failedBy the types of events that report a refusal
 * @param withdrawnBy the types of events that report a withdrawal
 */
public record SagaStep(
        int stepNumber,
        String event,
        @Nullable String compensation,
        String service,
        List<String> failedBy,
        List<String> withdrawnBy) {

    public SagaStep {
        failedBy = List.copyOf(failedBy);
        withdrawnBy = List.copyOf(withdrawnBy);
    }

    /** Returns the type of the compensating event; empty for the completing step. */
    public Optional<String> findCompensation() {
        return Optional.ofNullable(compensation);
    }

    /** Returns whether the forward event of this step completes the saga. */
    public boolean isCompleting() {
        return compensation == null;
    }
}
