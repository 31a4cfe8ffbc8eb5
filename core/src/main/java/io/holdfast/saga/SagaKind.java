package io.holdfast.saga;

/** How the steps of a saga are coordinated. */
public enum SagaKind {

    /** Services react to each other's events. The service of step 0 tracks the saga. */
    CHOREOGRAPHED,

    /** One service runs the steps of a definition. */
    ORCHESTRATED
}
