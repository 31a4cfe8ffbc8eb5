package io.holdfast.deadletter;

import io.holdfast.event.EventMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A parked event with its cause and attempts. Immutable.
 *
 * @param number the letter's place in its sequence: first in, first out
 * @param cause why handling failed; null if the event was parked behind another letter of its sequence
 * @param attempts the failed attempts, oldest first, at most {@link #MAX_ATTEMPTS}
 * @param diagnostics notes of the {@link EnqueuePolicy} for its next decision and for operators
 * @param failedReplays the number of replays by operators that have failed since the letter was parked or edited
 */
public record DeadLetter(
        SequenceId sequence,
        long number,
        EventMessage message,
        @Nullable Cause cause,
        Instant enqueuedAt,
        Instant lastTouched,
        List<Attempt> attempts,
        Map<String, String> diagnostics,
        int failedReplays) {

    /** Older attempts are removed from the letter; the sequence still counts them. */
    public static final int MAX_ATTEMPTS = 20;

    /** Maximum length of a name or value in the diagnostics; longer text is truncated. */
    public static final int MAX_DIAGNOSTIC = 2_000;

    public DeadLetter {
        attempts = List.copyOf(attempts);
        diagnostics = storable(diagnostics);
    }

    /** Creates a letter that no operator has replayed. */
    public DeadLetter(
            SequenceId sequence,
            long number,
            EventMessage message,
            @Nullable Cause cause,
            Instant enqueuedAt,
            Instant lastTouched,
            List<Attempt> attempts,
            Map<String, String> diagnostics) {
        this(sequence, number, message, cause, enqueuedAt, lastTouched, attempts, diagnostics, 0);
    }

    private static Map<String, String> storable(Map<String, String> diagnostics) {
        Map<String, String> truncated = new TreeMap<>();
        diagnostics.forEach((name, value) ->
                truncated.put(StorableText.of(name, MAX_DIAGNOSTIC), StorableText.of(value, MAX_DIAGNOSTIC)));
        return Collections.unmodifiableMap(truncated);
    }

    /** Creates a letter without cause or attempts, as for an event that is parked behind another one. */
    public static DeadLetter notAttempted(SequenceId sequence, long number, EventMessage message, Instant now) {
        return new DeadLetter(sequence, number, message, null, now, now, List.of(), Map.of());
    }

    /**
     * Returns this letter after another failed attempt.
     *
     * @param by the replica that made the attempt, or the operator who requested it
     */
    public DeadLetter failed(Cause newCause, String by, Instant now) {
        List<Attempt> newAttempts = new ArrayList<>(attempts);
        newAttempts.add(new Attempt(now, newCause.summary(), by));
        if (newAttempts.size() > MAX_ATTEMPTS) {
            newAttempts.remove(0);
        }
        return new DeadLetter(
                sequence, number, message, newCause, enqueuedAt, now, newAttempts, diagnostics, failedReplays);
    }

    /** Returns this letter with another cause and no further attempt, as when its circuit breaker is open. */
    public DeadLetter withCause(Cause newCause, Instant now) {
        return new DeadLetter(
                sequence, number, message, newCause, enqueuedAt, now, attempts, diagnostics, failedReplays);
    }

    public DeadLetter withDiagnostics(Map<String, String> newDiagnostics) {
        return new DeadLetter(
                sequence, number, message, cause, enqueuedAt, lastTouched, attempts, newDiagnostics, failedReplays);
    }

    /** Returns this letter with another number, to be parked again. */
    public DeadLetter restored(long newNumber, Instant now) {
        return new DeadLetter(
                sequence, newNumber, message, cause, enqueuedAt, touched(now), attempts, diagnostics, failedReplays);
    }

    /** Returns this letter with another payload. Its failed replays no longer count. */
    public DeadLetter edited(String json, Instant now) {
        return new DeadLetter(
                sequence, number, message.withJson(json), cause, enqueuedAt, touched(now), attempts, diagnostics, 0);
    }

    /** Returns the version of this letter, which every attempt and every change by an operator changes. */
    public String version() {
        return lastTouched.toString();
    }

    /** Each change by an operator gets a later time, because the time is the version that the next change names. */
    private Instant touched(Instant now) {
        return now.isAfter(lastTouched) ? now : lastTouched.plus(1, ChronoUnit.MICROS);
    }

    /** Returns this letter after an operator's replay of it has failed. */
    public DeadLetter replayFailed() {
        return withFailedReplays(failedReplays + 1);
    }

    public DeadLetter withFailedReplays(int replays) {
        return new DeadLetter(
                sequence, number, message, cause, enqueuedAt, lastTouched, attempts, diagnostics, replays);
    }

    public LetterId id() {
        return new LetterId(sequence, number);
    }
}
