package io.holdfast.admin.deadletter;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Caches the outcomes of letters that were removed on this replica recently, because the store knows only that they are
 * no longer parked. Not durable, and unknown to other replicas. Thread-safe.
 */
public final class Departures implements DeadLetterListener {

    /** Maximum number of outcomes in the cache. */
    static final int REMEMBERED = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Letter, Departure> remembered = new LinkedHashMap<>();
    private long last;

    /** Why a letter is no longer parked. */
    enum Outcome {
        /** The event was handled. */
        APPLIED,
        /** An operator discarded the letter, or a policy evicted it. */
        DISCARDED
    }

    private record Letter(String component, UUID event) {}

    private record Departure(Outcome outcome, long number) {}

    @Override
    public void changed(DeadLetterChange change) {
        Outcome outcome =
                switch (change.kind()) {
                    case REPLAYED -> Outcome.APPLIED;
                    case EVICTED -> Outcome.DISCARDED;
                    case PARKED, PARKED_BEHIND, FAILED_AGAIN, PENDING, SKIPPED, OVERFLOW -> null;
                };
        if (outcome != null) {
            remember(change, outcome);
        }
    }

    private void remember(DeadLetterChange change, Outcome outcome) {
        lock.lock();
        try {
            last++;
            for (UUID event : change.removedEvents()) {
                Letter letter = new Letter(change.sequence().component(), event);
                remembered.remove(letter); // so that it becomes the newest
                remembered.put(letter, new Departure(outcome, last));
            }
            var oldest = remembered.keySet().iterator();
            for (int i = remembered.size(); i > REMEMBERED; i--) {
                oldest.next();
                oldest.remove();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the current moment, as a counter: letters that are removed from now on come after it. */
    long moment() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the outcome of a letter that was removed after a moment; empty if it is unknown here. */
    Optional<Outcome> find(String component, UUID event, long after) {
        lock.lock();
        try {
            return Optional.ofNullable(remembered.get(new Letter(component, event)))
                    .filter(departure -> departure.number() > after)
                    .map(Departure::outcome);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #find}, but waits for an outcome that is not known yet, up to the timeout. */
    Optional<Outcome> await(String component, UUID event, long after, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        lock.lock(); // covers both find and await: a signal between the two would be lost
        try {
            Optional<Outcome> found = find(component, event, after);
            while (found.isEmpty() && System.nanoTime() - end < 0) {
                await(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
                found = find(component, event, after);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a letter is removed or {@link #wake} is called, up to the timeout. */
    @SuppressWarnings("WaitNotInLoop") // the caller checks its condition in any case
    void await(Duration timeout) {
        lock.lock();
        try {
            var unused = changed.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetryableException(
                    "interrupted while waiting for the outcome of a replay; the replay continues", e);
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
