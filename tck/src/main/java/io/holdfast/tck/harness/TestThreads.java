package io.holdfast.tck.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs test code on real threads, with a timeout on every wait. A failure on a thread fails the test. */
public final class TestThreads implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** How long to observe that something does not happen. */
    private static final Duration OBSERVATION_TIME = Duration.ofMillis(200);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Runs work on several threads that start together, and returns their results in order. */
    public static <T> List<T> race(int workers, IntFunction<T> work) {
        CyclicBarrier start = new CyclicBarrier(workers);
        try (TestThreads threads = new TestThreads()) {
            List<Future<T>> results = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                int number = worker;
                results.add(threads.start(() -> {
                    start.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                    return work.apply(number);
                }));
            }
            return results.stream().map(TestThreads::result).toList();
        }
    }

    public <T> Future<T> start(Callable<T> work) {
        return threads.submit(work);
    }

    public Future<Boolean> run(Runnable work) {
        return threads.submit(work, true);
    }

    public static <T> T result(Future<T> future) {
        try {
            return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no result within " + TIMEOUT, e);
        } catch (ExecutionException e) {
            throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
        }
    }

    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the latch was not released within " + TIMEOUT);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Returns whether the future completes soon. False means that it waits for something else. */
    public static boolean completesSoon(Future<?> future) {
        try {
            future.get(OBSERVATION_TIME.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
