package io.holdfast.resilience;

/** Unit of a breaker's sliding window. */
public enum SlidingWindowType {

    /** The window covers the last N calls. */
    COUNT_BASED,

    /** The window covers the calls of the last N seconds. */
    TIME_BASED
}
