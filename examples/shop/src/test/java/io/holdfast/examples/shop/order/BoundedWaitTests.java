package io.holdfast.examples.shop.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedWaitTests {

    private final BoundedWait boundedWait = new BoundedWait();

    @Test
    void looksOnceIfWhatItLooksForIsThere() {
        AtomicInteger looks = new AtomicInteger();

        assertThat(boundedWait.pollUntil(looks::incrementAndGet, found -> true)).isEqualTo(1);
    }

    @Test
    void looksAgainForWhatIsOnItsWay() {
        AtomicInteger looks = new AtomicInteger();

        assertThat(boundedWait.pollUntil(looks::incrementAndGet, found -> found == 3))
                .isEqualTo(3);
    }

    @Test
    void givesUpAfterAMoment() {
        Instant start = Instant.now();

        assertThat(boundedWait.pollUntil(() -> "nothing", found -> false)).isEqualTo("nothing");

        assertThat(Duration.between(start, Instant.now())).isBetween(BoundedWait.MAX_WAIT, Duration.ofSeconds(20));
    }

    @Test
    void doesNotLetMoreThanAFewWaitAtOnce() throws Exception {
        CountDownLatch waiting = new CountDownLatch(BoundedWait.MAX_WAITERS);
        CountDownLatch arrived = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(BoundedWait.MAX_WAITERS);
        try {
            List<Future<Boolean>> waiters = new ArrayList<>();
            for (int i = 0; i < BoundedWait.MAX_WAITERS; i++) {
                AtomicInteger looks = new AtomicInteger();
                waiters.add(threads.submit(
                        () -> boundedWait.pollUntil(() -> foundOnSecondPoll(looks, waiting, arrived), found -> found)));
            }
            assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();

            AtomicInteger looks = new AtomicInteger();
            boundedWait.pollUntil(looks::incrementAndGet, found -> false);

            assertThat(looks).hasValue(1);
            arrived.countDown();
            for (Future<Boolean> waiter : waiters) {
                assertThat(waiter.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The second look finds it, but not before the test lets it. */
    private static boolean foundOnSecondPoll(AtomicInteger looks, CountDownLatch waiting, CountDownLatch arrived) {
        if (looks.incrementAndGet() == 1) {
            return false;
        }
        waiting.countDown();
        try {
            return arrived.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
