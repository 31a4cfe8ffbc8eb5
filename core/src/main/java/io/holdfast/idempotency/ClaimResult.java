package io.holdfast.idempotency;

/** The answer to a claim. */
public sealed interface ClaimResult {

    /** The work is the caller's to do. */
    record Claimed(IdempotencyClaim claim) implements ClaimResult {}

    /** Another is at it, and its lease has not expired. */
    record InProgress() implements ClaimResult {}

    /** It was done before. */
    record Done() implements ClaimResult {}
}
