package io.holdfast.resilience;

/** The circuit breakers of a service, by name. Thread-safe. */
public interface Breakers {

    /** Breakers that never open. */
    Breakers NONE = new Breakers() {
        @Override
        public AdmittedCall admit(String name) {
            return AdmittedCall.NONE;
        }

        @Override
        public boolean isClosed(String name) {
            return true;
        }
    };

    /**
     * Requests permission for one call, without retry.
     *
     * @throws ResilienceException if the breaker rejects the call
     */
    AdmittedCall admit(String name);

    /** @return whether the breaker admits all calls */
    boolean isClosed(String name);
}
