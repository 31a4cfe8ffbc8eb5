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
    void readsOnceIfTheValueIsComplete() {
        AtomicInteger polls = new AtomicInteger();

        assertThat(boundedWait.pollUntil(polls::incrementAndGet, found -> true)).isEqualTo(1);
    }

    @Test
    void pollsUntilTheValueIsComplete() {
        AtomicInteger polls = new AtomicInteger();

        assertThat(boundedWait.pollUntil(polls::incrementAndGet, found -> found == 3))
                .isEqualTo(3);
    }

    @Test
    void returnsTheLastValueAfterTheTimeout() {
        Instant start = Instant.now();

        assertThat(boundedWait.pollUntil(() -> "nothing", found -> false)).isEqualTo("nothing");

        assertThat(Duration.between(start, Instant.now())).isBetween(BoundedWait.MAX_WAIT, Duration.ofSeconds(20));
    }

    @Test
    void limitsConcurrentWaiters() throws Exception {
        CountDownLatch waiting = new CountDownLatch(BoundedWait.MAX_WAITERS);
        CountDownLatch arrived = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(BoundedWait.MAX_WAITERS);
        try {
            List<Future<Boolean>> waiters = new ArrayList<>();
            for (int i = 0; i < BoundedWait.MAX_WAITERS; i++) {
                AtomicInteger polls = new AtomicInteger();
                waiters.add(threads.submit(
                        () -> boundedWait.pollUntil(() -> foundOnSecondPoll(polls, waiting, arrived), found -> found)));
            }
            assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();

            AtomicInteger polls = new AtomicInteger();
            boundedWait.pollUntil(polls::incrementAndGet, found -> false);

            assertThat(polls).hasValue(1);
            arrived.countDown();
            for (Future<Boolean> waiter : waiters) {
                assertThat(waiter.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The second poll succeeds, but only after the test counts {@code arrived} down. */
    private static boolean foundOnSecondPoll(AtomicInteger polls, CountDownLatch waiting, CountDownLatch arrived) {
        if (polls.incrementAndGet() == 1) {
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
