package io.holdfast.processing;

import io.holdfast.resilience.ResilienceSettings;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How many sequences that are held by a breaker may be tried at once, in this process: one when its time has come, and
 * after each round of successes twice as many, so that what was down is not run over when it comes back. For any number of
 * threads.
 */
public final class BreakerProbes {

    private static final int MAX_CONCURRENT_PROBES = 1024;

    private final ResilienceSettings settings;
    private final Map<String, Ramp> ramps = new HashMap<>();

    public BreakerProbes(ResilienceSettings settings) {
        this.settings = settings;
    }

    /** Something is held: nothing is tried before the breaker has been open for as long as it stays. */
    synchronized Instant onHeld(String breaker, Instant now) {
        Ramp ramp = ramp(breaker);
        Instant latest = latestProbeAt(breaker, now);
        if (!ramp.next.isAfter(now) || ramp.next.isAfter(latest)) {
            ramp.next = latest;
        }
        ramp.slowDown();
        ramp.health = Health.DOWN;
        return ramp.next;
    }

    /** Something was held before this process knew of it. */
    synchronized void registerHeld(String breaker, Instant next) {
        Ramp known = ramps.get(breaker);
        if (known == null) {
            Ramp ramp = ramp(breaker);
            ramp.next = next;
            ramp.health = Health.UNKNOWN;
        } else if (known.health == Health.UP && known.running == 0) {
            known.slowDown(); // how far the ramp had come after another outage says nothing
        }
    }

    /** @return whether one may be tried now; its end must be told */
    synchronized boolean tryAcquire(String breaker, Instant now) {
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

    /** The breaker has closed: there is no more reason to wait. */
    public synchronized void onBreakerClosed(String breaker) {
        Ramp ramp = ramps.get(breaker);
        if (ramp != null) {
            ramp.next = Instant.MIN;
            ramp.health = Health.UP;
        }
    }

    /** When something held by this breaker may be tried; far away while as many are as may be. */
    synchronized Instant nextProbeAt(String breaker, Instant now) {
        Ramp ramp = ramp(breaker);
        if (ramp.running >= ramp.allowed) {
            return Instant.MAX;
        }
        Instant latest = latestProbeAt(breaker, now);
        if (ramp.next.isAfter(latest)) {
            ramp.next = latest; // the clock was set back
        }
        return ramp.next;
    }

    /** Whether it answers again, as far as is known here: what is held waits for its turn only. */
    synchronized boolean isUp(String breaker) {
        return ramp(breaker).health == Health.UP;
    }

    /** Whether it was found not to answer, by this process. */
    synchronized boolean isDown(String breaker) {
        return ramp(breaker).health == Health.DOWN;
    }

    private Instant latestProbeAt(String breaker, Instant now) {
        return now.plus(settings.circuitBreakerOf(breaker).waitDurationInOpenState());
    }

    private Ramp ramp(String breaker) {
        return ramps.computeIfAbsent(breaker, unknown -> new Ramp());
    }

    private enum Health {
        UP,
        /** Another process, or this one before a restart, has found it down. */
        UNKNOWN,
        DOWN
    }

    private static final class Ramp {

        private Instant next = Instant.MIN;
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
