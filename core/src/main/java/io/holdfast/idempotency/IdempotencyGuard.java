package io.holdfast.idempotency;

import java.time.Duration;

/**
 * Remembers which work was done, for work that has no position in a stream. Two phases: a claim with a lease while the
 * work runs, then DONE for a time; a crash in between loses the claim, never the work.
 *
 * <p><b>Duty.</b> Of all who claim one key at once, one is told CLAIMED. After {@link #complete} every claim is told
 * DONE until the ttl has passed. After {@link #release}, or when the lease has expired, the key can be claimed again.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes.
 *
 * <p><b>Transaction.</b> None is joined: each call is durable when it returns.
 *
 * <p><b>Not promised.</b> Exactly once: work that outlives its lease can run beside its successor, and what crashes
 * after the work and before {@code complete} runs again. Work whose effects must be exactly once belongs into a commit
 * unit.
 */
public interface IdempotencyGuard {

    /** Claims a key for {@code lease}. */
    ClaimResult claim(IdempotencyKey key, Duration lease);

    /**
     * Makes the lease last for {@code lease} from now.
     *
     * @return false if the claim was completed, released or taken over; an expired one that nobody took goes on
     */
    boolean renew(IdempotencyClaim claim, Duration lease);

    /**
     * Says that the work is done; it is remembered for {@code ttl}.
     *
     * @return false if another took the key over after the lease expired: the work may have run twice; also if the claim
     *     was released. Completing again with the same claim within the ttl is true and changes nothing, so it does not
     *     make the ttl longer. A claim that expired and that nobody took is completed as if it had not
     */
    boolean complete(IdempotencyClaim claim, Duration ttl);

    /**
     * Says that the work was not done, so that it can be claimed again at once. Nothing happens after a take-over, or
     * when the work was completed.
     */
    void release(IdempotencyClaim claim);
}
