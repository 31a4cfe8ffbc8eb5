package io.holdfast.admin.deadletter;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.admin.deadletter.ReplayResult.Status;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the outcome of one letter whose sequence is being replayed. Does not wait for the rest of the sequence,
 * which may have many more letters. Not thread-safe.
 */
final class LetterReplay {

    /** Interval for polling the store, which is the only way to see what another replica did. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /**
     * Time to wait for a local notification if another replica owns the segment. This replica may have owned it a
     * moment ago, and listeners are notified shortly after the store shows the commit.
     */
    private static final Duration NOTIFICATION_TIMEOUT = Duration.ofMillis(500);

    private final Departures departures;
    private final EntryReference entry;
    private final ParkedSequence sequence;
    private final long startedAt;
    private final CompletableFuture<Boolean> processing;

    /** @param startedAt the moment, as in {@link Departures#moment}, before the letter was read */
    LetterReplay(
            Departures departures,
            EntryReference entry,
            ParkedSequence sequence,
            long startedAt,
            CompletableFuture<Boolean> processing) {
        this.departures = departures;
        this.entry = entry;
        this.sequence = sequence;
        this.startedAt = startedAt;
        this.processing = processing;
    }

    ReplayResult await(Duration timeout) {
        var unused = processing.whenComplete((drained, failure) -> departures.wake());
        long end = System.nanoTime() + timeout.toNanos();
        long nextPoll = System.nanoTime() + POLL_INTERVAL.toNanos();
        while (true) {
            ReplayResult result = departed();
            if (result != null) {
                return result;
            }
            long now = System.nanoTime();
            boolean isDone = processing.isDone();
            if (isDone || now - nextPoll >= 0) {
                Optional<DeadLetter> letter = letter();
                if (letter.isEmpty()) {
                    return gone(Duration.ofNanos(Math.max(0, end - now)));
                }
                if (isDone) {
                    requireProcessed();
                    return ReplayResult.failedAgain(letter.get().cause());
                }
                nextPoll = now + POLL_INTERVAL.toNanos();
            }
            if (now - end >= 0) {
                return ReplayResult.of(Status.RUNNING);
            }
            departures.await(Duration.ofNanos(Math.max(1, Math.min(nextPoll, end) - now)));
        }
    }

    private Optional<DeadLetter> letter() {
        return entry.component().queue().findLetter(entry.event());
    }

    private @Nullable ReplayResult departed() {
        return departed(Duration.ZERO);
    }

    private @Nullable ReplayResult departed(Duration timeout) {
        return departures
                .await(entry.component().id(), entry.event(), startedAt, timeout)
                .map(outcome ->
                        ReplayResult.of(outcome == Departures.Outcome.APPLIED ? Status.APPLIED : Status.DISCARDED))
                .orElse(null);
    }

    /** The letter is no longer parked. If this replica owns the segment, its notification arrives sooner or later. */
    private ReplayResult gone(Duration timeout) {
        boolean isClaimedLocally = entry.component().isClaimedLocally(sequence);
        ReplayResult result = departed(isClaimedLocally ? timeout : NOTIFICATION_TIMEOUT);
        return result == null ? ReplayResult.of(isClaimedLocally ? Status.RUNNING : Status.GONE) : result;
    }

    /**
     * Throws what the engine threw, for example that it rejected the replay and why. If the engine found nothing to
     * replay although the letter is parked, another replica has just parked it, and no attempt was made.
     */
    private void requireProcessed() {
        try {
            if (processing.join()) {
                throw new RetryableException("the processor has not yet noticed that event " + entry.event()
                        + " is parked; no attempt was made, repeat the request");
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof HoldfastException rejected) {
                throw rejected;
            }
            throw new PermanentException("the replay of event " + entry.event() + " failed: " + e.getCause(), e);
        }
    }
}
