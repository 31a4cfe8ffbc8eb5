package io.holdfast.parking;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.handling.Component;
import io.holdfast.resilience.ResilienceException;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetrySettings;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a sequence waits for after its first event failed: the next attempt, a circuit breaker or an operator. A
 * retryable failure is retried as often as the retry settings allow. The time of the next attempt is stored, so a
 * restart loses no attempt. A failure while its breaker is not closed makes the sequence HELD and spends no attempt.
 */
public final class FailurePolicy {

    /** A cause chain can be cyclic. */
    private static final int MAX_CAUSE_DEPTH = 20;
    /** How often a version tries again what it could not read: another version may have changed it since. */
    private static final Duration ANY_VERSION_INTERVAL = Duration.ofSeconds(10);

    private final ResilienceSettings settings;
    private final Breakers breakers;
    private final BreakerProbes probes;
    private final Clock clock;

    public FailurePolicy(ResilienceSettings settings, Breakers breakers, BreakerProbes probes, Clock clock) {
        this.settings = settings;
        this.breakers = breakers;
        this.probes = probes;
        this.clock = clock;
    }

    public Duration maxHold() {
        return settings.maxHold();
    }

    /**
     * Returns the sequence as awaiting another version of the service, or as PENDING once it has awaited one for too
     * long, if this version cannot handle the event. That spends no attempt. Otherwise returns empty.
     *
     * @param awaited as {@link ParkedSequence#awaits}
     * @param waited for how long the sequence has been HELD or has awaited another version
     */
    public Optional<ParkedSequence> awaiting(
            Throwable failure, String awaited, ParkedSequence before, Duration waited) {
        if (find(failure, UnsupportedHereException.class) == null) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        Instant since = Objects.requireNonNullElse(before.awaitsSince(), now);
        Duration left = settings.maxHold().minus(before.awaitsSince() == null ? Duration.ZERO : waited);
        if (left.isNegative() || left.isZero()) {
            return Optional.of(before.pendingAndAwaiting(awaited, since, now));
        }
        boolean isRetried = awaited.equals(ParkedSequence.ANY_VERSION) && ANY_VERSION_INTERVAL.compareTo(left) < 0;
        return Optional.of(before.awaiting(awaited, since, now.plus(isRetried ? ANY_VERSION_INTERVAL : left)));
    }

    /**
     * Returns the sequence as HELD, or as PENDING once it has been HELD for too long, if the failure is due to a
     * circuit breaker. Such a failure says nothing about the event, and spends no attempt. Otherwise returns empty.
     *
     * @param waited for how long the sequence has been HELD or has awaited another version
     */
    public Optional<ParkedSequence> held(
            Throwable failure, Component component, ParkedSequence before, Duration waited) {
        String breaker = heldBy(failure, component, before);
        if (breaker == null) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        Instant since = Objects.requireNonNullElse(before.heldSince(), now);
        MonotonicTime time = MonotonicClock.of(clock).time();
        MonotonicTime next = probes.onHeld(breaker, time); // even if this one becomes PENDING: all others wait too
        if (isRejection(failure) && breakers.isClosed(breaker)) {
            probes.onBreakerClosed(breaker); // it has closed since it rejected this event
        }
        return Optional.of(
                isHeldBriefly(before.heldSince() == null ? Duration.ZERO : waited)
                        ? before.held(breaker, since, now.plus(time.until(next)))
                        : before.pending(before.attempts(), now));
    }

    /**
     * Returns the sequence after a failure of the event itself: RETRYING if another attempt is allowed, otherwise
     * PENDING.
     */
    public ParkedSequence failed(Throwable failure, Component component, ParkedSequence before) {
        Instant now = clock.instant();
        int attempts = before.attempts() + 1;
        RetrySettings retry = retryOf(component);
        boolean retries =
                settings.enabled() && NonRetryableException.isRetryable(failure) && attempts < retry.maxAttempts();
        return retries ? before.retrying(attempts, now.plus(retry.waitAfter(attempts))) : before.pending(attempts, now);
    }

    private boolean isHeldBriefly(Duration held) {
        return held.compareTo(settings.maxHold()) < 0;
    }

    /** Returns the longest backoff between two attempts of a component. */
    Duration longestBackoff(Component component) {
        return retryOf(component).longestWait();
    }

    /**
     * Returns the longest time that a RETRYING or HELD sequence waits for its next attempt.
     *
     * @param longestBackoff of a sequence that waits for nothing else
     */
    Duration longestWait(ParkedSequence sequence, Duration longestBackoff) {
        if (sequence.state() == SequenceState.HELD) {
            return settings.circuitBreakerOf(Objects.requireNonNull(sequence.heldBy()))
                    .waitDurationInOpenState();
        }
        if (sequence.awaits() == null) {
            return longestBackoff;
        }
        return sequence.awaits().equals(ParkedSequence.ANY_VERSION) ? ANY_VERSION_INTERVAL : settings.maxHold();
    }

    private RetrySettings retryOf(Component component) {
        return settings.retryOf(component.breaker().orElse(component.name()), component.retry());
    }

    private @Nullable String heldBy(Throwable failure, Component component, ParkedSequence before) {
        if (!settings.enabled() || !NonRetryableException.isRetryable(failure)) {
            return null;
        }
        ResilienceException guarded = find(failure, ResilienceException.class);
        if (guarded != null && (guarded.rejected() || isHolding(guarded.operationName(), before))) {
            return guarded.operationName();
        }
        String own = component.breaker().orElse(null);
        return own != null && isHolding(own, before) ? own : null;
    }

    /**
     * Returns whether the failure is due to this breaker. After a restart, or on another replica, a breaker is closed
     * although its dependency may still be down. Until the dependency has responded once, a failed probe counts as if
     * the breaker were open.
     */
    private boolean isHolding(String breaker, ParkedSequence before) {
        return !breakers.isClosed(breaker) || (breaker.equals(before.heldBy()) && !probes.isUp(breaker));
    }

    /**
     * Returns whether a failure says nothing about the dependency that the handler calls, also if the handler has
     * wrapped it: this version cannot handle the event, or a breaker rejected the call.
     */
    public static boolean isUnrelatedToDependency(Throwable failure) {
        return find(failure, UnsupportedHereException.class) != null || isRejection(failure);
    }

    private static boolean isRejection(Throwable failure) {
        ResilienceException guarded = find(failure, ResilienceException.class);
        return guarded != null && guarded.rejected();
    }

    /** Returns the failure of this type, also if the handler has wrapped it. */
    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSE_DEPTH; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
