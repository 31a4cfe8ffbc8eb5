package io.holdfast.resilience;

/** The circuit breakers of a service, by name. For any number of threads. */
public interface Breakers {

    /** No breaker ever opens. */
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
     * Asks for one call, without retry.
     *
     * @throws ResilienceException if the breaker lets none through
     */
    AdmittedCall admit(String name);

    /** Whether the breaker lets everything through. */
    boolean isClosed(String name);
}
