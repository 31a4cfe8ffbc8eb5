package io.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerTests {

    @Test
    void runsNextStepWhenWoken() {
        AtomicInteger steps = new AtomicInteger();
        try (Worker worker = Worker.start("test", () -> {
            steps.incrementAndGet();
            return Duration.ofHours(1);
        })) {
            await().until(() -> steps.get() == 1);

            worker.wake();

            await().until(() -> steps.get() == 2);
        }
    }

    @Test
    void leavesTheIntervalBetweenStepsHoweverOftenItIsWoken() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        Duration interval = Duration.ofMillis(50);
        try (Worker worker = Worker.start("test", interval, () -> {
            starts.add(System.nanoTime());
            return Duration.ZERO;
        })) {
            await().until(() -> {
                worker.wake();
                return starts.size() >= 4;
            });
        }

        for (int i = 1; i < starts.size(); i++) {
            assertThat(Duration.ofNanos(starts.get(i) - starts.get(i - 1))).isGreaterThanOrEqualTo(interval);
        }
    }

    @Test
    void isWokenWithAnIntervalToo() {
        AtomicInteger steps = new AtomicInteger();
        try (Worker worker = Worker.start("test", Duration.ofMillis(1), () -> {
            steps.incrementAndGet();
            return Duration.ofHours(1);
        })) {
            await().until(() -> steps.get() == 1);

            worker.wake();

            await().until(() -> steps.get() == 2);
        }
    }

    @Test
    void closesWithoutWaitingForTheInterval() {
        AtomicInteger steps = new AtomicInteger();
        Worker worker = Worker.start("test", Duration.ofHours(1), () -> {
            steps.incrementAndGet();
            return Duration.ZERO;
        });
        await().until(() -> steps.get() == 1);

        worker.close();

        assertThat(worker.isTerminated()).isTrue();
    }

    @Test
    void retriesAfterException() {
        AtomicInteger steps = new AtomicInteger();
        try (Worker worker = Worker.start("test", () -> {
            if (steps.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            return Duration.ofHours(1);
        })) {
            await().until(() -> steps.get() == 1);
            worker.wake();

            await().until(() -> steps.get() == 2);
            assertThat(worker.isTerminated()).isFalse();
        }
    }

    @Test
    void closeWaitsForRunningStep() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayFinish = new CountDownLatch(1);
        AtomicBoolean finished = new AtomicBoolean();
        Worker worker = Worker.start("test", () -> {
            started.countDown();
            finished.set(awaited(mayFinish));
            return Duration.ofHours(1);
        });
        assertThat(awaited(started)).isTrue();

        Thread closing = new Thread(worker::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.WAITING);
        assertThat(worker.isTerminated()).isFalse();
        mayFinish.countDown();
        closing.join(10_000);
        worker.close();

        assertThat(finished).isTrue();
        assertThat(worker.isTerminated()).isTrue();
    }

    /** @return whether the latch opened without an interrupt */
    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void backoffDoublesWithJitterUpToLimit() {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(3));

        assertThat(backoff.next()).isBetween(Duration.ofMillis(400), Duration.ofMillis(600));
        assertThat(backoff.next()).isBetween(Duration.ofMillis(800), Duration.ofMillis(1200));
        assertThat(backoff.next()).isBetween(Duration.ofMillis(1600), Duration.ofMillis(2400));
        assertThat(backoff.next()).isBetween(Duration.ofMillis(2400), Duration.ofMillis(3600));
        assertThat(backoff.failures()).isEqualTo(4);

        backoff.reset();

        assertThat(backoff.next()).isBetween(Duration.ofMillis(400), Duration.ofMillis(600));
    }
}
