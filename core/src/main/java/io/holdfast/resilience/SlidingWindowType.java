package io.holdfast.resilience;

/** What a breaker looks at. */
public enum SlidingWindowType {

    /** The last calls, as many as the window's size. */
    COUNT_BASED,

    /** The calls of the last seconds, as many as the window's size. */
    TIME_BASED
}
