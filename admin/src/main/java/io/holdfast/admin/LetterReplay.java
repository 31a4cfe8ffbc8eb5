package io.holdfast.admin;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.admin.ReplayResult.Status;
import io.holdfast.admin.ServiceComponents.EntryReference;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what comes of one letter whose sequence is being processed. The sequence may have many more letters behind it, so
 * its own end is not waited for. For one thread.
 */
final class LetterReplay {

    /** What another replica does shows only in the store. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /** Whoever has the segment tells how a letter left a moment after the store shows it; it may just have changed hands. */
    private static final Duration TOLD_WITHIN = Duration.ofMillis(500);

    private final Departures departures;
    private final EntryReference place;
    private final ParkedSequence sequence;
    private final long begunAt;
    private final CompletableFuture<Boolean> processing;

    /** @param begunAt the moment before the letter was found */
    LetterReplay(
            Departures departures,
            EntryReference place,
            ParkedSequence sequence,
            long begunAt,
            CompletableFuture<Boolean> processing) {
        this.departures = departures;
        this.place = place;
        this.sequence = sequence;
        this.begunAt = begunAt;
        this.processing = processing;
    }

    ReplayResult await(Duration patience) {
        var unused = processing.whenComplete((drained, failure) -> departures.wake());
        long end = System.nanoTime() + patience.toNanos();
        long lookAt = System.nanoTime() + POLL_INTERVAL.toNanos();
        while (true) {
            ReplayResult result = departed();
            if (result != null) {
                return result;
            }
            long now = System.nanoTime();
            boolean isOver = processing.isDone();
            if (isOver || now - lookAt >= 0) {
                Optional<DeadLetter> letter = letter();
                if (letter.isEmpty()) {
                    return gone(Duration.ofNanos(Math.max(0, end - now)));
                }
                if (isOver) {
                    requireProcessed();
                    return ReplayResult.failedAgain(letter.get().cause());
                }
                lookAt = now + POLL_INTERVAL.toNanos();
            }
            if (now - end >= 0) {
                return ReplayResult.of(Status.RUNNING);
            }
            departures.await(Duration.ofNanos(Math.max(1, Math.min(lookAt, end) - now)));
        }
    }

    private Optional<DeadLetter> letter() {
        return place.component().queue().findLetter(place.event());
    }

    private @Nullable ReplayResult departed() {
        return departed(Duration.ZERO);
    }

    private @Nullable ReplayResult departed(Duration atMost) {
        return departures
                .await(place.component().id(), place.event(), begunAt, atMost)
                .map(way -> ReplayResult.of(way == Departures.Way.APPLIED ? Status.APPLIED : Status.DISCARDED))
                .orElse(null);
    }

    /** It is gone; if it was dealt with here, it is told how, sooner or later. */
    private ReplayResult gone(Duration patience) {
        boolean isHere = place.component().isClaimedLocally(sequence);
        ReplayResult result = departed(isHere ? patience : TOLD_WITHIN);
        return result == null ? ReplayResult.of(isHere ? Status.RUNNING : Status.GONE) : result;
    }

    /**
     * Also what was thrown by the engine is thrown: that it was refused, and why. If the engine has found nothing of a letter
     * that is there, it was parked by somebody else a moment ago, and was not tried.
     */
    private void requireProcessed() {
        try {
            if (processing.join()) {
                throw new RetryableException("the processor does not know yet that event " + place.event()
                        + " is parked; nothing was tried, ask again");
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof HoldfastException rejected) {
                throw rejected;
            }
            throw new PermanentException("the replay of event " + place.event() + " was given up: " + e.getCause(), e);
        }
    }
}
