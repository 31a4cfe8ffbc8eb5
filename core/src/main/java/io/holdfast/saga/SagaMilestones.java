package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a saga as a whole. Immutable.
 *
 * @param completed the completing event, if it came before any cause for compensation; or null
 * @param compensated whether the saga was COMPENSATED once. It stays so, even if a late success needs an undo
 * @param timedOut the judgement that the deadline has passed, or null
 * @param cancelRequested an operator's request to compensate, or null
 * @param gaveUp an operator's decision to end the saga although it is not compensated, or null
 */
public record SagaMilestones(
        @Nullable SagaFact completed,
        boolean compensated,
        @Nullable SagaFact timedOut,
        @Nullable SagaFact cancelRequested,
        @Nullable SagaFact gaveUp) {

    @JsonCreator
    static SagaMilestones read(
            @JsonProperty("completed") @Nullable SagaFact completed,
            @JsonProperty("compensated") @Nullable Boolean compensated,
            @JsonProperty("timedOut") @Nullable SagaFact timedOut,
            @JsonProperty("cancelRequested") @Nullable SagaFact cancelRequested,
            @JsonProperty("gaveUp") @Nullable SagaFact gaveUp) {
        return new SagaMilestones(completed, Boolean.TRUE.equals(compensated), timedOut, cancelRequested, gaveUp);
    }

    static final SagaMilestones NONE = new SagaMilestones(null, false, null, null, null);

    SagaMilestones withCompleted(SagaFact fact) {
        return new SagaMilestones(SagaFact.earlier(completed, fact), compensated, timedOut, cancelRequested, gaveUp);
    }

    SagaMilestones withCompensated() {
        return new SagaMilestones(completed, true, timedOut, cancelRequested, gaveUp);
    }

    SagaMilestones withTimedOut(SagaFact fact) {
        return new SagaMilestones(completed, compensated, fact, cancelRequested, gaveUp);
    }

    SagaMilestones withCancelRequested(SagaFact fact) {
        return new SagaMilestones(completed, compensated, timedOut, fact, gaveUp);
    }

    SagaMilestones withGaveUp(SagaFact fact) {
        return new SagaMilestones(completed, compensated, timedOut, cancelRequested, fact);
    }
}
