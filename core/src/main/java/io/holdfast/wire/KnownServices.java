package io.holdfast.wire;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The services that a service has seen in the directory of the wire, stored by that service. The directory forgets a
 * silent replica after seconds, and everything when the process ends; this port does not.
 *
 * <p><b>Contract.</b> A service stays until {@link #forget} or {@link #forgetSilent} removes it. Times are those of the
 * store's clock, which all replicas share.
 *
 * <p><b>Thread safety.</b> Thread-safe, also across processes.
 *
 * <p><b>Transaction.</b> Joins none; each call is durable when it returns.
 *
 * <p><b>Not guaranteed.</b> That a service still exists, or that it is silent.
 */
public interface KnownServices {

    /** Stores that these services are live now. Adds those that are unknown. All of them, or none. Idempotent. */
    void recordLive(Collection<String> services);

    /** Returns all services, ordered by name. */
    List<KnownService> findAll();

    /**
     * Removes a service. It is added again when it is seen again.
     *
     * @return false if the service is not known
     */
    boolean forget(String service);

    /**
     * Removes the services that were last seen longer ago than this.
     *
     * @return how many were removed
     */
    int forgetSilent(Duration silence);
}
