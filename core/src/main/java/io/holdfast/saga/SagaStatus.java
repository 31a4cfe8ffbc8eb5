package io.holdfast.saga;

import java.util.List;
import java.util.stream.Stream;

/** The status of a saga, a pure function of its recorded facts. */
public enum SagaStatus {

    /** Events of later steps have arrived, but not the event of step 0. Never times out, and is not active. */
    PLACEHOLDER,

    /** Step 0 is done. */
    STARTED,

    /** Step 0 and at least one other step are done. */
    IN_PROGRESS,

    /** The deadline has passed and compensation is not automatic. The saga waits for an operator. */
    TIMED_OUT,

    /** A step failed or step 0 was undone. Waits until every compensable step is answered. */
    COMPENSATING,

    /** The completing event was appended. Final. */
    COMPLETED,

    /** Every compensable step was undone, failed or withdrawn. Final. */
    COMPENSATED,

    /** An operator gave up a compensation. Final. */
    FAILED;

    /** Returns the statuses of sagas that have started and not ended. */
    public static List<SagaStatus> active() {
        return Stream.of(values()).filter(SagaStatus::isActive).toList();
    }

    /** Returns whether the status never changes again. */
    public boolean isFinal() {
        return this == COMPLETED || this == COMPENSATED || this == FAILED;
    }

    /** Returns whether the saga has started and not ended. */
    public boolean isActive() {
        return this != PLACEHOLDER && !isFinal();
    }

    /** Returns whether the deadline can still pass: the saga has started, and neither ended nor begun to compensate. */
    public boolean isOpen() {
        return this == STARTED || this == IN_PROGRESS;
    }
}
