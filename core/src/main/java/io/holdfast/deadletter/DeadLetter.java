package io.holdfast.deadletter;

import io.holdfast.event.EventMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parked event. Immutable: a change is a new value.
 *
 * @param number its place in the sequence: first in, first out
 * @param cause why it could not be handled; null if it was parked behind another of its sequence
 * @param attempts the tries that failed, oldest first, at most {@link #MAX_ATTEMPTS} of them
 * @param diagnostics what a policy wants the next decision to know
 */
public record DeadLetter(
        SequenceId sequence,
        long number,
        EventMessage message,
        @Nullable Cause cause,
        Instant enqueuedAt,
        Instant lastTouched,
        List<Attempt> attempts,
        Map<String, String> diagnostics) {

    /** Older ones leave; their number is kept by the sequence. */
    public static final int MAX_ATTEMPTS = 20;

    public DeadLetter {
        attempts = List.copyOf(attempts);
        diagnostics = Map.copyOf(diagnostics);
    }

    /** Parked behind another, without having been tried. */
    public static DeadLetter behind(SequenceId sequence, long number, EventMessage message, Instant now) {
        return new DeadLetter(sequence, number, message, null, now, now, List.of(), Map.of());
    }

    /** The same letter after a try that failed. */
    public DeadLetter failed(Cause newCause, Instant now) {
        List<Attempt> tried = new ArrayList<>(attempts);
        tried.add(new Attempt(now, newCause.summary()));
        if (tried.size() > MAX_ATTEMPTS) {
            tried.remove(0);
        }
        return new DeadLetter(sequence, number, message, newCause, enqueuedAt, now, tried, diagnostics);
    }

    /** The same letter, for which nothing was tried: its breaker is open. */
    public DeadLetter held(Cause newCause, Instant now) {
        return new DeadLetter(sequence, number, message, newCause, enqueuedAt, now, attempts, diagnostics);
    }
}
