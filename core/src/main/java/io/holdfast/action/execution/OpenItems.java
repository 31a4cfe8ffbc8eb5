package io.holdfast.action.execution;

import io.holdfast.RetryableException;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Polls the open items of actions, with one query per second for all processors and operations of a replica. Also settles
 * items whose deadline has passed, and deletes old receipts. Thread-safe.
 */
public final class OpenItems {

    /** The default time after the request for which a receipt is kept. */
    public static final Duration RECEIPT_TTL = Duration.ofDays(90);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLEANING_INTERVAL = Duration.ofMinutes(1);
    /** The default time for which resolved letters are kept. */
    public static final Duration DEFAULT_ENTRY_TTL = Duration.ofDays(7);

    /** Resolved letters must outlive the deadline of an action, which may be staged just before its letter is removed. */
    public static final Duration MIN_ENTRY_TTL = Duration.ofHours(2);

    private static final int PAGE_SIZE = 1_000;

    private final ActionStore store;
    private final Duration entryTtl;
    private final MonotonicClock clock;
    private final String replica;
    private final Duration receiptTtl;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> informed = new HashSet<>();
    private boolean operationsInformed;
    private List<OpenItem> items = List.of();
    private MonotonicTime pollAt = MonotonicTime.MIN;
    private MonotonicTime cleanAt = MonotonicTime.MIN;

    public OpenItems(ActionStore store, Clock clock, String replica) {
        this(store, clock, replica, RECEIPT_TTL, DEFAULT_ENTRY_TTL);
    }

    /**
     * @param receiptTtl how long receipts are kept
     * @param entryTtl how long resolved letters are kept, at least {@link #MIN_ENTRY_TTL}
     */
    public OpenItems(ActionStore store, Clock clock, String replica, Duration receiptTtl, Duration entryTtl) {
        this.store = store;
        this.entryTtl = entryTtl;
        this.clock = MonotonicClock.of(clock);
        this.replica = replica;
        this.receiptTtl = receiptTtl;
    }

    /** Polls with the next call, because an action was staged here. */
    public void requestPoll() {
        lock.lock();
        try {
            pollAt = MonotonicTime.MIN;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the items of a processor as they were at the last poll, each poll's once. They may have been settled in
     * the meantime.
     */
    public List<OpenItem> poll(String consumer) {
        if (!lock.tryLock()) {
            return List.of(); // another processor polls
        }
        try {
            pollIfDue();
            return informed.add(consumer)
                    ? items.stream()
                            .filter(item ->
                                    item.isLetter() && item.letter().consumer().equals(consumer))
                            .toList()
                    : List.of();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the items of operations as they were at the last poll; empty if the caller has them already. They may have
     * been settled in the meantime. Waits for a poll in progress.
     */
    Optional<List<OpenItem>> pollOperations() {
        lock.lock();
        try {
            pollIfDue();
            if (operationsInformed) {
                return Optional.empty();
            }
            operationsInformed = true;
            return Optional.of(items.stream().filter(item -> !item.isLetter()).toList());
        } finally {
            lock.unlock();
        }
    }

    /** If the store is unavailable, the next poll is as late as after a success. */
    private void pollIfDue() {
        if (clock.time().isBefore(pollAt)) {
            return;
        }
        pollAt = clock.time().plus(POLL_INTERVAL);
        try {
            items = store.findOpen(PAGE_SIZE);
            informed.clear();
            operationsInformed = false;
            if (items.stream().anyMatch(OpenItem::isExpired)) {
                store.expire(PAGE_SIZE, replica);
            }
            cleanIfDue();
        } catch (RetryableException e) {
            items = List.of();
        }
    }

    private void cleanIfDue() {
        if (!clock.time().isBefore(cleanAt)) {
            boolean isMoreLeft = store.deleteExpired(receiptTtl, entryTtl, PAGE_SIZE);
            cleanAt = clock.time().plus(isMoreLeft ? POLL_INTERVAL : CLEANING_INTERVAL);
        }
    }
}
