package io.holdfast.resilience;

/** A call admitted by a circuit breaker. Report its outcome exactly once, from any thread. */
public interface AdmittedCall {

    /** A call without a breaker. */
    AdmittedCall NONE = new AdmittedCall() {
        @Override
        public void succeeded() {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public void abandoned() {}
    };

    void succeeded();

    void failed(Throwable failure);

    /** Reports that the call has no outcome. A half-open breaker admits another call in its place. */
    void abandoned();
}
