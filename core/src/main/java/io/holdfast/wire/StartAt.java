package io.holdfast.wire;

/** Where a consumer that is new to a stream starts. */
public enum StartAt {
    /** With the first event that is kept. */
    BEGINNING,
    /** With the first event after it registered. */
    NOW
}
