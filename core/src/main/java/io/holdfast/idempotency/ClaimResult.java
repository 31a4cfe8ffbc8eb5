package io.holdfast.idempotency;

/** Result of {@link IdempotencyGuard#claim}. */
public sealed interface ClaimResult {

    /** The caller owns the work and must do it. */
    record Claimed(IdempotencyClaim claim) implements ClaimResult {}

    /** Another caller has claimed the work, and its lease has not expired. */
    record InProgress() implements ClaimResult {}

    /** The work is already done. */
    record Done() implements ClaimResult {}
}
