package io.holdfast.saga;

import java.util.Locale;

/** What can be recorded about a step. Each kind is recorded at most once per step. */
public enum StepFact {

    /** The forward event was appended. */
    DONE,

    /** The step was refused. */
    FAILED,

    /** The compensating event was appended. */
    UNDONE,

    /** The compensation came before the action. */
    WITHDRAWN,

    /** The step, or its compensation, was left out. */
    SKIPPED;

    private final String property = name().toLowerCase(Locale.ROOT);

    /** Returns the property of a step's row that stores this fact. */
    String property() {
        return property;
    }

    /** Returns the {@code compensating} flag of an event that reports this fact. */
    boolean isCompensating() {
        return this == UNDONE || this == WITHDRAWN;
    }
}
