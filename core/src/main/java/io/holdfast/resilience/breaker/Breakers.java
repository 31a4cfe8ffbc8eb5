package io.holdfast.resilience.breaker;

/** The circuit breakers of a service and the reports of its retries, by name. Thread-safe. */
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

        @Override
        public RetryReports retry(String name) {
            return RetryReports.NONE;
        }
    };

    /**
     * Requests permission for one call, without retry.
     *
     * @throws io.holdfast.RetryableException if the breaker rejects the call
     */
    AdmittedCall admit(String name);

    /** @return whether the breaker admits all calls */
    boolean isClosed(String name);

    /** Returns the reports of attempts that a processor makes under this name. Does not create a breaker. */
    RetryReports retry(String name);
}
