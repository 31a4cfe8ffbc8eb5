package io.holdfast.processing;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.resilience.Breakers;
import io.holdfast.resilience.ResilienceException;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetrySettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence waits for after its head could not be handled: another attempt, a breaker, or a person. What is worth
 * retrying is tried as often as the retry settings say, at times that are stored, so that a restart forgets no attempt; a
 * failure while its breaker is not closed is the breaker's matter, and spends none.
 */
final class FailurePolicy {

    /** Causes can go round. */
    private static final int MAX_CAUSE_DEPTH = 20;

    private final ResilienceSettings settings;
    private final Breakers breakers;
    private final BreakerProbes probes;
    private final Clock clock;

    FailurePolicy(ResilienceSettings settings, Breakers breakers, BreakerProbes probes, Clock clock) {
        this.settings = settings;
        this.breakers = breakers;
        this.probes = probes;
        this.clock = clock;
    }

    Duration maxHold() {
        return settings.maxHold();
    }

    /**
     * The sequence as the failure of its head leaves it, if that was the breaker's matter. It says nothing about the event, and
     * has spent no attempt.
     */
    Optional<ParkedSequence> held(Throwable failure, Component component, ParkedSequence before) {
        String breaker = heldBy(failure, component, before);
        if (breaker == null) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        Instant since = Objects.requireNonNullElse(before.heldSince(), now);
        Instant next = probes.onHeld(breaker, now); // for all others too, if this one has waited too long
        return Optional.of(
                since.isAfter(now.minus(settings.maxHold()))
                        ? before.held(breaker, since, next)
                        : before.pending(before.attempts(), now));
    }

    /** The sequence as the failure of its head leaves it, which was the event's own. */
    ParkedSequence failed(Throwable failure, Component component, ParkedSequence before) {
        Instant now = clock.instant();
        int tried = before.attempts() + 1;
        RetrySettings retry = settings.retryOf(component.breaker().orElse(component.name()));
        boolean again = settings.enabled() && NonRetryableException.isRetryable(failure) && tried < retry.maxAttempts();
        return again ? before.retrying(tried, now.plus(retry.waitAfter(tried))) : before.pending(tried, now);
    }

    private @Nullable String heldBy(Throwable failure, Component component, ParkedSequence before) {
        if (!settings.enabled() || !NonRetryableException.isRetryable(failure)) {
            return null;
        }
        ResilienceException outside = findResilienceException(failure);
        if (outside != null && (outside.rejected() || isHolding(outside.operationName(), before))) {
            return outside.operationName();
        }
        String own = component.breaker().orElse(null);
        return own != null && isHolding(own, before) ? own : null;
    }

    /**
     * A breaker that forgot in a restart, or of another replica, is closed although what it guards is still down. Until
     * that has answered once, a failed probe says what the breaker that held it would have said.
     */
    private boolean isHolding(String breaker, ParkedSequence before) {
        return !breakers.isClosed(breaker) || (breaker.equals(before.heldBy()) && !probes.isUp(breaker));
    }

    /** What an operation within the handler came to, also if the handler has wrapped it. */
    private static @Nullable ResilienceException findResilienceException(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSE_DEPTH; depth++) {
            if (cause instanceof ResilienceException outside) {
                return outside;
            }
            cause = cause.getCause();
        }
        return null;
    }
}
