package io.holdfast.admin;

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
 * Remembers of the letters that left on this replica lately how they left: the store knows only that they are gone. For any
 * number of threads.
 */
public final class Departures implements DeadLetterListener {

    /** How many letters are remembered. */
    static final int REMEMBERED = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Letter, Departure> remembered = new LinkedHashMap<>();
    private long last;

    /** How a letter has left. */
    enum Way {
        /** It was handled. */
        APPLIED,
        /** Somebody discarded it, or a policy did not keep it. */
        DISCARDED
    }

    private record Letter(String component, UUID event) {}

    private record Departure(Way way, long number) {}

    @Override
    public void changed(DeadLetterChange change) {
        Way way =
                switch (change.kind()) {
                    case REPLAYED -> Way.APPLIED;
                    case EVICTED -> Way.DISCARDED;
                    case PARKED, PARKED_BEHIND, FAILED_AGAIN, PENDING, SKIPPED, OVERFLOW -> null;
                };
        if (way != null) {
            remember(change, way);
        }
    }

    private void remember(DeadLetterChange change, Way way) {
        lock.lock();
        try {
            last++;
            for (UUID event : change.removedEvents()) {
                Letter letter = new Letter(change.sequence().component(), event);
                remembered.remove(letter); // so that it is the youngest
                remembered.put(letter, new Departure(way, last));
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

    /** Which moment it is: whatever leaves from now on has left after it. */
    long moment() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** How the letter of an event has left after a moment; empty if that is not known here. */
    Optional<Way> find(String component, UUID event, long after) {
        lock.lock();
        try {
            return Optional.ofNullable(remembered.get(new Letter(component, event)))
                    .filter(departure -> departure.number() > after)
                    .map(Departure::way);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #find}; if it is not known yet, waits for it, but not longer than this. */
    Optional<Way> await(String component, UUID event, long after, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        lock.lock(); // kept between a look and the wait, or what leaves in between would wake nobody
        try {
            Optional<Way> found = find(component, event, after);
            while (found.isEmpty() && System.nanoTime() - end < 0) {
                await(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
                found = find(component, event, after);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a letter leaves or somebody {@linkplain #wake wakes} it, but not longer than this. */
    @SuppressWarnings("WaitNotInLoop") // the caller looks again in any case
    void await(Duration atMost) {
        lock.lock();
        try {
            var unused = changed.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetryableException(
                    "nobody waits any more for what becomes of a letter; what was begun goes on", e);
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
