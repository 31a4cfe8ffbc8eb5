package io.holdfast.resilience;

/** A call that a circuit breaker has let through, which is told once how it ended. For any thread. */
public interface AdmittedCall {

    /** Of no breaker. */
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

    /** It has no outcome. A half-open breaker lets another call through in its place. */
    void abandoned();
}
