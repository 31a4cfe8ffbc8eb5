package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.worker.MonotonicTime;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A RETRYING or HELD sequence with its stored times on the monotonic clock.
 *
 * @param due when the first letter is due
 * @param since since when it has been HELD or has awaited another version; otherwise of no use
 */
record WaitingSequence(ParkedSequence sequence, MonotonicTime due, MonotonicTime since) {

    /** Returns whether this is when a sequence is due, also if it has other letters now. */
    boolean isDueWith(ParkedSequence other) {
        return sequence.nextAttempt().equals(other.nextAttempt()) && sequence.state() == other.state();
    }

    /** Returns whether this is since when a sequence waits, also if it was attempted meanwhile. */
    boolean waitsSince(ParkedSequence other) {
        return Objects.equals(storedSince(sequence), storedSince(other));
    }

    /** Returns since when a sequence has been HELD or has awaited another version, by the clock of that replica. */
    static @Nullable Instant storedSince(ParkedSequence sequence) {
        return sequence.heldSince() == null ? sequence.awaitsSince() : sequence.heldSince();
    }
}
