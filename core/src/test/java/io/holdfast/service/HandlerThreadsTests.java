package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.processing.segment.PooledRun;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each processor submits runs that end when the test permits it, and the test counts those that have a thread. */
@Timeout(60)
class HandlerThreadsTests {

    private static final int THREADS = 8;
    private static final int SEGMENTS = 16;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    /** What the threads do after {@link HandlerThreads#LONG_CALL}. The test decides when that is. */
    private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();

    private final HandlerThreads threads = new HandlerThreads("test", THREADS, metrics, later::add);
    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> mayEnd = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        mayEnd.values().forEach(permits -> permits.release(1_000));
        threads.close();
    }

    @Test
    void processorUsesAllThreadsWhileOthersAreIdle() {
        share("idle");

        submit(share("busy"), "busy", 0);

        awaitRunning("busy", THREADS);
        assertThat(waiting("busy")).isEqualTo(SEGMENTS - THREADS);
        end("busy", SEGMENTS);
        awaitRunning("busy", 0);
        assertThat(waiting("busy")).isZero();
    }

    @Test
    void processorGetsItsFairShareWhileAnotherOccupiesAllThreads() {
        Executor other = share("other");
        submit(share("greedy"), "greedy", 0);
        awaitRunning("greedy", THREADS);

        submit(other, "other", 0);

        awaitRunning("other", THREADS / 2);
        assertThat(waiting("other")).isEqualTo(SEGMENTS - THREADS / 2);
    }

    /** Threads beyond the configured number are only lent: the processor that has too many starts nothing new. */
    @Test
    void busyProcessorsConvergeToEqualShares() {
        Executor other = share("other");
        submit(share("greedy"), "greedy", 0);
        awaitRunning("greedy", THREADS);
        submit(other, "other", 0);
        awaitRunning("other", THREADS / 2);

        end("greedy", THREADS / 2);

        awaitRunning("greedy", THREADS / 2);
        assertThat(running("other")).isEqualTo(THREADS / 2);
        end("greedy", 1);
        await().until(() -> waiting("greedy") == SEGMENTS - THREADS - 1);
        assertThat(running("greedy") + running("other")).isLessThanOrEqualTo(THREADS);
    }

    @Test
    void threadsOfHangingHandlersAreReplacedForOtherProcessors() {
        Executor other = share("other");
        for (String hung : new String[] {"hung 1", "hung 2", "hung 3"}) {
            submit(share(hung), hung, HandlerThreads.LONG_CALL.toNanos() + 1);
            awaitRunning(hung, THREADS);
        }

        submit(other, "other", 0);

        awaitRunning("other", THREADS);
        assertThat(running("hung 1")).as("limit of the processor itself").isEqualTo(THREADS);
    }

    /** Nothing is submitted and nothing ends; only time passes. */
    @Test
    void threadsAreReplacedWhenHandlersTurnOutToHang() {
        AtomicInteger secondsBusy = new AtomicInteger();
        Executor hung = share("hung");
        Executor other = share("other");
        for (int segment = 0; segment < THREADS; segment++) {
            hung.execute(new TestRun("hung", () -> secondsBusy.get() * 1_000_000_000L));
        }
        submit(other, "other", 0);
        awaitRunning("other", THREADS / 2);

        secondsBusy.set(2);
        assertThat(later).hasSize(1);
        later.remove().run();

        awaitRunning("other", THREADS);
    }

    @Test
    void processorNeverExceedsItsLimit() {
        submit(threads.share("limited", 3), "limited", HandlerThreads.LONG_CALL.toNanos() + 1);

        awaitRunning("limited", 3);
        end("limited", 5);
        await().until(() -> waiting("limited") == SEGMENTS - 8);
        assertThat(running("limited")).isEqualTo(3);
    }

    @Test
    void equallyBusyProcessorsTakeTurns() {
        Executor first = threads.share("first", 1);
        Executor second = threads.share("second", 1);
        submit(first, "first", 0);
        submit(second, "second", 0);

        for (int round = 1; round < SEGMENTS; round++) {
            end("first", 1);
            end("second", 1);
            int left = SEGMENTS - 1 - round;
            await().until(() -> waiting("first") == left && waiting("second") == left);
        }
    }

    /** The next run starts at once, not only when the threads are checked the next time. */
    @Test
    void threadThatDiesIsReplaced() {
        Executor share = threads.share("dying", 1);
        Semaphore mayDie = permits("dying");
        CountDownLatch next = new CountDownLatch(1);
        share.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
            mayDie.acquireUninterruptibly();
            throw new InternalError("simulated");
        });
        share.execute(next::countDown);
        assertThat(waiting("dying")).isEqualTo(1);

        mayDie.release();

        await().until(() -> next.getCount() == 0);
    }

    private Executor share(String processor) {
        return threads.share(processor, THREADS);
    }

    private void submit(Executor share, String processor, long nanosSinceProgress) {
        for (int segment = 0; segment < SEGMENTS; segment++) {
            share.execute(new TestRun(processor, () -> nanosSinceProgress));
        }
    }

    private void end(String processor, int runs) {
        permits(processor).release(runs);
    }

    private Semaphore permits(String processor) {
        return mayEnd.computeIfAbsent(processor, unknown -> new Semaphore(0));
    }

    private void awaitRunning(String processor, int count) {
        await().untilAsserted(() -> assertThat(running(processor)).isEqualTo(count));
    }

    private int running(String processor) {
        return running.computeIfAbsent(processor, unknown -> new AtomicInteger())
                .get();
    }

    private int waiting(String processor) {
        return (int) metrics.get(HandlerThreads.WAITING)
                .tag("processor", processor)
                .gauge()
                .value();
    }

    private final class TestRun implements PooledRun {

        private final String processor;
        private final LongSupplier sinceProgress;

        TestRun(String processor, LongSupplier sinceProgress) {
            this.processor = processor;
            this.sinceProgress = sinceProgress;
        }

        @Override
        public void run() {
            AtomicInteger count = running.computeIfAbsent(processor, unknown -> new AtomicInteger());
            count.incrementAndGet();
            permits(processor).acquireUninterruptibly();
            count.decrementAndGet();
        }

        @Override
        public long nanosSinceProgress() {
            return sinceProgress.getAsLong();
        }
    }
}
