package io.holdfast.saga;

/** The status of one step, a pure function of its recorded facts. */
public enum StepStatus {

    /** No fact is recorded yet. */
    PENDING,

    /** The forward event was appended. */
    COMPLETED,

    /** The step was refused. It has no effect. */
    FAILED,

    /** The compensating event was appended. */
    COMPENSATED,

    /** The compensation came before the action, and the service refuses the action. It has no effect. */
    WITHDRAWN,

    /** A condition or an operator left out the step, or its compensation. */
    SKIPPED
}
