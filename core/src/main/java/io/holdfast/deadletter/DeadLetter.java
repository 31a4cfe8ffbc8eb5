package io.holdfast.deadletter;

import io.holdfast.event.EventMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    /** How long a name or a value of diagnostics may be; what is longer is cut. */
    public static final int MAX_DIAGNOSTIC = 2_000;

    public DeadLetter {
        attempts = List.copyOf(attempts);
        diagnostics = storable(diagnostics);
    }

    private static Map<String, String> storable(Map<String, String> diagnostics) {
        Map<String, String> kept = new TreeMap<>();
        diagnostics.forEach((name, value) ->
                kept.put(StorableText.of(name, MAX_DIAGNOSTIC), StorableText.of(value, MAX_DIAGNOSTIC)));
        return Collections.unmodifiableMap(kept);
    }

    /** Parked behind another, without having been tried. */
    public static DeadLetter notAttempted(SequenceId sequence, long number, EventMessage message, Instant now) {
        return new DeadLetter(sequence, number, message, null, now, now, List.of(), Map.of());
    }

    /**
     * The same letter after a try that failed.
     *
     * @param by who tried
     */
    public DeadLetter failed(Cause newCause, String by, Instant now) {
        List<Attempt> tried = new ArrayList<>(attempts);
        tried.add(new Attempt(now, newCause.summary(), by));
        if (tried.size() > MAX_ATTEMPTS) {
            tried.remove(0);
        }
        return new DeadLetter(sequence, number, message, newCause, enqueuedAt, now, tried, diagnostics);
    }

    /** The same letter, for which nothing was tried: its breaker is open. */
    public DeadLetter withCause(Cause newCause, Instant now) {
        return new DeadLetter(sequence, number, message, newCause, enqueuedAt, now, attempts, diagnostics);
    }

    public DeadLetter withDiagnostics(Map<String, String> newDiagnostics) {
        return new DeadLetter(sequence, number, message, cause, enqueuedAt, lastTouched, attempts, newDiagnostics);
    }

    public LetterId id() {
        return new LetterId(sequence, number);
    }

    /** Where its event stood, and what it was part of. */
    public LetterContext context() {
        return new LetterContext(
                message.stream(),
                message.streamPosition(),
                message.metadata().sagaId(),
                message.metadata().traceparent());
    }
}
