package io.holdfast.resilience.breaker;

/**
 * A call admitted by a circuit breaker. Report its outcome, from any thread. Only the first reported outcome counts, so
 * a second report has no effect. A half-open breaker waits for every call that it has admitted: report {@link #abandoned}
 * if the outcome will never be known.
 */
public interface AdmittedCall {

    /** A call without a breaker. */
    AdmittedCall NONE = new AdmittedCall() {
        @Override
        public void returned() {}

        @Override
        public void succeeded() {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public void abandoned() {}
    };

    /**
     * Ends the duration of the call, if its outcome is known only later. The duration decides whether a call is slow,
     * so it must not include time for which the dependency is not responsible, such as the wait for a group commit.
     */
    void returned();

    void succeeded();

    void failed(Throwable failure);

    /** Reports that the call has no outcome. A half-open breaker admits another call in its place. */
    void abandoned();
}
