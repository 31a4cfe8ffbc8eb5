package io.holdfast.examples.shop.order;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Looks again for a moment at what may just be on its way: news of a new customer or product travels like any event. Few may
 * wait at once, so that requests with wrong ids do not keep the others from being answered.
 */
@Component
class BoundedWait {

    static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    static final int MAX_WAITERS = 6;

    private final Semaphore permits = new Semaphore(MAX_WAITERS);

    /** What was found last, satisfying or not. */
    <T> T pollUntil(Supplier<T> look, Predicate<T> satisfying) {
        T found = look.get();
        if (satisfying.test(found) || !permits.tryAcquire()) {
            return found;
        }
        try {
            long end = System.nanoTime() + MAX_WAIT.toNanos();
            while (!satisfying.test(found) && System.nanoTime() < end) {
                TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
                found = look.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service stops; what was found last is the answer
        } finally {
            permits.release();
        }
        return found;
    }
}
