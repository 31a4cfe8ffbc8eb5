package io.holdfast.admin;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.admin.ReplayResult.Status;
import io.holdfast.admin.ServiceComponents.Place;
import io.holdfast.deadletter.DeadLetter;
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
    private static final Duration LOOK = Duration.ofMillis(200);

    /** This replica tells how a letter left a moment after the store shows that it did. */
    private static final Duration TOLD_WITHIN = Duration.ofMillis(500);

    private final Departures departures;
    private final Place place;
    private final long begunAt;
    private final CompletableFuture<Boolean> processing;

    /** @param begunAt the moment before the letter was found */
    LetterReplay(Departures departures, Place place, long begunAt, CompletableFuture<Boolean> processing) {
        this.departures = departures;
        this.place = place;
        this.begunAt = begunAt;
        this.processing = processing;
    }

    ReplayResult await(Duration patience) {
        var unused = processing.whenComplete((drained, failure) -> departures.wake());
        long end = System.nanoTime() + patience.toNanos();
        long lookAt = System.nanoTime() + LOOK.toNanos();
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
                    return gone();
                }
                if (isOver) {
                    requireProcessed();
                    return ReplayResult.failedAgain(letter.get().cause());
                }
                lookAt = now + LOOK.toNanos();
            }
            if (now - end >= 0) {
                return ReplayResult.of(Status.RUNNING);
            }
            pause(Math.min(lookAt, end) - now);
        }
    }

    private Optional<DeadLetter> letter() {
        return place.component().queue().findEvent(place.event());
    }

    private @Nullable ReplayResult departed() {
        return departures
                .find(place.component().id(), place.event(), begunAt)
                .map(way -> ReplayResult.of(way == Departures.Way.APPLIED ? Status.APPLIED : Status.DISCARDED))
                .orElse(null);
    }

    private ReplayResult gone() {
        long end = System.nanoTime() + TOLD_WITHIN.toNanos();
        ReplayResult result = departed();
        while (result == null && System.nanoTime() - end < 0) {
            pause(end - System.nanoTime());
            result = departed();
        }
        return result == null ? ReplayResult.of(Status.LEFT) : result;
    }

    /** Also what was thrown by the engine is thrown: that it was refused, and why. */
    private void requireProcessed() {
        try {
            var unused = processing.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HoldfastException refused) {
                throw refused;
            }
            throw new PermanentException("the replay of event " + place.event() + " was given up: " + e.getCause(), e);
        }
    }

    private void pause(long nanos) {
        try {
            departures.await(Duration.ofNanos(Math.max(1, nanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetryableException(
                    "nobody waits for the replay of event " + place.event() + " any more; it goes on", e);
        }
    }
}
