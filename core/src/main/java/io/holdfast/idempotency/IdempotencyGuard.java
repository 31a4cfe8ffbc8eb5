package io.holdfast.idempotency;

import java.time.Duration;

/**
 * Deduplicates work that has no position in a stream. It has two phases: a claim with a lease while the work runs, then
 * DONE until a ttl has passed. A crash in between loses the claim, never the work.
 *
 * <p><b>Contract.</b> If several callers claim the same key concurrently, exactly one gets {@link ClaimResult.Claimed}.
 * After {@link #complete}, every claim returns {@link ClaimResult.Done} until the ttl has passed. After
 * {@link #release}, or once the lease has expired, the key can be claimed again.
 *
 * <p><b>Thread safety.</b> Safe for concurrent use by any number of threads and processes.
 *
 * <p><b>Transaction.</b> Joins none: each call is durable when it returns.
 *
 * <p><b>Not guaranteed.</b> Exactly-once execution. Work that outlives its lease can run concurrently with its
 * successor, and work runs again after a crash between the work and {@code complete}. For exactly-once effects, use a
 * commit unit.
 */
public interface IdempotencyGuard {

    /** Claims a key for {@code lease}. */
    ClaimResult claim(IdempotencyKey key, Duration lease);

    /**
     * Extends the lease to {@code lease} from now. An expired claim is renewed if no other caller has taken it over.
     *
     * @return whether the lease was renewed; false if the claim was completed, released or taken over
     */
    boolean renew(IdempotencyClaim claim, Duration lease);

    /**
     * Marks the work as done for {@code ttl}. Idempotent: a repeated call with the same claim within the ttl returns
     * true and does not extend the ttl. An expired claim is completed if no other caller has taken it over.
     *
     * @return whether the work is marked as done by this claim; false if the claim was released, or if another caller
     *     took the key over after the lease expired, in which case the work may have run twice
     */
    boolean complete(IdempotencyClaim claim, Duration ttl);

    /**
     * Releases the claim because the work was not done. The key can be claimed again immediately. Does nothing if the
     * work was completed or another caller has taken it over.
     */
    void release(IdempotencyClaim claim);
}
