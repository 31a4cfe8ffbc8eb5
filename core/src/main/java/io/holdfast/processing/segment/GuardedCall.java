package io.holdfast.processing.segment;

import io.holdfast.parking.FailurePolicy;
import io.holdfast.resilience.breaker.AdmittedCall;

/**
 * One attempt of a task, as the circuit breaker of its component sees it. The attempt succeeds when its effects are
 * durable. It fails if the handler or a decision throws, or if the store can never write its effects. Everything else
 * says nothing about the dependency, and abandons the call: the store does not respond, the segment is lost, the effects
 * are thrown away because an earlier event of the sequence failed.
 *
 * <p>The duration is the handler's own: it ends when the handler returns or its stage completes. The wait for the group
 * commit is not included, because a slow store would otherwise look like a slow dependency. Thread-safe.
 */
final class GuardedCall {

    private volatile AdmittedCall call = AdmittedCall.NONE;
    private volatile boolean abandoned;

    /** Starts an attempt that has not been admitted yet. */
    void start() {
        call = AdmittedCall.NONE;
    }

    void admitted(AdmittedCall admitted) {
        call = admitted;
    }

    /** Records that the handler of a call has succeeded. Its outcome is still open, unless the task is abandoned. */
    void returned(AdmittedCall admitted) {
        admitted.returned();
        if (abandoned) { // checked last: abandon() may have run before the call was admitted
            admitted.abandoned();
        }
    }

    void committed() {
        call.succeeded();
    }

    void failed(Throwable failure) {
        report(call, failure);
    }

    /** Reports a failure of a call, unless it is a bug, the rejection of another breaker, or due to this version. */
    static void report(AdmittedCall admitted, Throwable failure) {
        if (failure instanceof Error || FailurePolicy.isUnrelatedToDependency(failure)) {
            admitted.abandoned();
        } else {
            admitted.failed(failure);
        }
    }

    /** Ends the breaker's wait, because the outcome of the attempt will not be known, or not soon. */
    void release() {
        call.abandoned();
    }

    /** Releases the call, also one that is yet to be admitted. */
    void abandon() {
        abandoned = true;
        release();
    }
}
