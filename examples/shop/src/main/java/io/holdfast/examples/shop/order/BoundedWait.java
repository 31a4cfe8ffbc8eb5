package io.holdfast.examples.shop.order;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Polls briefly for a row that may not have arrived yet: the views of customers and products are eventually consistent.
 * Only a few requests may wait concurrently, so that requests with unknown ids do not block the others. Thread-safe.
 */
@Component
class BoundedWait {

    static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    static final int MAX_WAITERS = 6;

    private final Semaphore permits = new Semaphore(MAX_WAITERS);

    /** @return the last value read, complete or not */
    <T> T pollUntil(Supplier<T> read, Predicate<T> isComplete) {
        T found = read.get();
        if (isComplete.test(found) || !permits.tryAcquire()) {
            return found;
        }
        try {
            long deadline = System.nanoTime() + MAX_WAIT.toNanos();
            while (!isComplete.test(found) && System.nanoTime() < deadline) {
                TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
                found = read.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service is shutting down; return the last value
        } finally {
            permits.release();
        }
        return found;
    }
}
