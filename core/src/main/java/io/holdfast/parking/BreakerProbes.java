package io.holdfast.parking;

import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.worker.MonotonicTime;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits how many HELD sequences this process probes concurrently, per circuit breaker: one when its wait has passed,
 * then twice as many after each round of successes. A recovering dependency is therefore not overloaded. Thread-safe.
 */
public final class BreakerProbes {

    private static final int MAX_CONCURRENT_PROBES = 1024;

    private final ResilienceSettings settings;
    private final Map<String, Ramp> ramps = new HashMap<>();

    public BreakerProbes(ResilienceSettings settings) {
        this.settings = settings;
    }

    /**
     * Records that a sequence became HELD. The next probe waits until the breaker's time in the open state has passed,
     * and the ramp starts again at one.
     *
     * @return the time of the next probe
     */
    synchronized MonotonicTime onHeld(String breaker, MonotonicTime now) {
        Ramp ramp = ramp(breaker);
        MonotonicTime latest = latestProbeAt(breaker, now);
        if (!ramp.next.isAfter(now) || ramp.next.isAfter(latest)) {
            ramp.next = latest;
        }
        ramp.slowDown();
        ramp.health = Health.DOWN;
        return ramp.next;
    }

    /** Registers a sequence that was HELD before this process loaded it. */
    synchronized void registerHeld(String breaker, MonotonicTime next) {
        Ramp known = ramps.get(breaker);
        if (known == null) {
            Ramp ramp = ramp(breaker);
            ramp.next = next;
            ramp.health = Health.UNKNOWN;
        } else if (known.health == Health.UP && known.running == 0) {
            known.slowDown(); // the ramp of an earlier outage does not apply to this one
        }
    }

    /** @return whether a probe may start now; the caller must report its end to {@link #completed} */
    public synchronized boolean tryAcquire(String breaker, MonotonicTime now) {
        Ramp ramp = ramp(breaker);
        if (ramp.running >= ramp.allowed || now.isBefore(nextProbeAt(breaker, now))) {
            return false;
        }
        ramp.running++;
        return true;
    }

    synchronized void completed(String breaker, boolean succeeded) {
        Ramp ramp = ramp(breaker);
        ramp.running = Math.max(0, ramp.running - 1);
        if (!succeeded) {
            return;
        }
        ramp.health = Health.UP;
        if (++ramp.succeeded >= ramp.allowed) {
            ramp.allowed = Math.min(MAX_CONCURRENT_PROBES, ramp.allowed * 2);
            ramp.succeeded = 0;
        }
    }

    /** Brings the next probe forward: the breaker has closed, so there is no reason to wait. */
    public synchronized void onBreakerClosed(String breaker) {
        Ramp ramp = ramps.get(breaker);
        if (ramp != null) {
            ramp.next = MonotonicTime.MIN;
            ramp.health = Health.UP;
        }
    }

    /** Returns when the next probe may start; {@link MonotonicTime#MAX} while as many are running as allowed. */
    synchronized MonotonicTime nextProbeAt(String breaker, MonotonicTime now) {
        Ramp ramp = ramp(breaker);
        if (ramp.running >= ramp.allowed) {
            return MonotonicTime.MAX;
        }
        MonotonicTime latest = latestProbeAt(breaker, now);
        if (ramp.next.isAfter(latest)) {
            ramp.next = latest; // stored by a replica whose clock was ahead
        }
        return ramp.next;
    }

    /**
     * Returns whether the dependency responds, as far as this process knows. HELD sequences then wait only for a
     * permit.
     */
    synchronized boolean isUp(String breaker) {
        return ramp(breaker).health == Health.UP;
    }

    /** Returns whether this process has found the dependency unavailable. */
    synchronized boolean isDown(String breaker) {
        return ramp(breaker).health == Health.DOWN;
    }

    private MonotonicTime latestProbeAt(String breaker, MonotonicTime now) {
        return now.plus(settings.circuitBreakerOf(breaker).waitDurationInOpenState());
    }

    private Ramp ramp(String breaker) {
        return ramps.computeIfAbsent(breaker, unknown -> new Ramp());
    }

    private enum Health {
        UP,
        /** Another process, or this one before a restart, found it unavailable. */
        UNKNOWN,
        DOWN
    }

    private static final class Ramp {

        private MonotonicTime next = MonotonicTime.MIN;
        private Health health = Health.UP;
        private int allowed = 1;
        private int running;
        private int succeeded;

        void slowDown() {
            allowed = 1;
            succeeded = 0;
        }
    }
}
