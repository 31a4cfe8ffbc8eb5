package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Converts the stored times of parked sequences to the monotonic clock, each once. From then on, a change of the wall
 * clock has no effect on them. A stored time may come from a replica whose clock was ahead: no sequence waits longer
 * than the policy would make it wait. Immutable.
 */
public final class SequenceTimes {

    private final FailurePolicy policy;
    private final Clock clock;
    private final MonotonicClock monotonicClock;
    private final Duration longestBackoff;

    private SequenceTimes(FailurePolicy policy, Clock clock, Duration longestBackoff) {
        this.policy = policy;
        this.clock = clock;
        this.monotonicClock = MonotonicClock.of(clock);
        this.longestBackoff = longestBackoff;
    }

    /** @param longestOverflow how long a sequence may wait for room in its queue before its next attempt */
    public static SequenceTimes of(
            FailurePolicy policy, Collection<BoundComponent> components, Duration longestOverflow, Clock clock) {
        Duration longest = longestOverflow;
        for (BoundComponent bound : components) {
            Duration backoff = policy.longestBackoff(bound.component());
            longest = backoff.compareTo(longest) > 0 ? backoff : longest;
        }
        return new SequenceTimes(policy, clock, longest);
    }

    MonotonicTime now() {
        return monotonicClock.time();
    }

    /** @param before the same sequence before it changed, if it was waiting; what has not changed keeps its time */
    WaitingSequence convert(ParkedSequence sequence, @Nullable WaitingSequence before) {
        return new WaitingSequence(
                sequence,
                before != null && before.isDueWith(sequence) ? before.due() : now().plus(untilDue(sequence)),
                before != null && before.waitsSince(sequence) ? before.since() : now().minus(storedWait(sequence)));
    }

    /** Returns for how long a sequence has been HELD or has awaited another version. */
    Duration waited(ParkedSequence sequence, @Nullable WaitingSequence known) {
        return known != null && known.waitsSince(sequence) ? known.since().until(now()) : storedWait(sequence);
    }

    private Duration untilDue(ParkedSequence sequence) {
        Duration wait = between(clock.instant(), sequence.nextAttempt());
        Duration longest = policy.longestWait(sequence, longestBackoff);
        return wait.compareTo(longest) > 0 ? longest : wait;
    }

    private Duration storedWait(ParkedSequence sequence) {
        Instant since = WaitingSequence.storedSince(sequence);
        return since == null ? Duration.ZERO : between(since, clock.instant());
    }

    private static Duration between(Instant from, Instant to) {
        return from.isBefore(to) ? Duration.between(from, to) : Duration.ZERO;
    }
}
