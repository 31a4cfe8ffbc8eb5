package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One measurement.
 *
 * @param p50 half of the calls took no longer, in milliseconds
 * @param p99 99 of 100 calls took no longer, in milliseconds
 */
record Slice(long events, double seconds, double p50, double p99, long commits) {

    /** Lets callers append for a while, each after its last append was answered. */
    static Slice measure(Appends appends, int callers, Duration time) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        CountDownLatch start = new CountDownLatch(1);
        try {
            long commitsBefore = appends.commits();
            List<Future<Calls>> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                running.add(threads.submit(() -> {
                    try (Appends.Caller caller = appends.caller(number, callers)) {
                        start.await();
                        return Calls.make(caller, time);
                    }
                }));
            }
            long started = System.nanoTime();
            start.countDown();
            List<Calls> calls = new ArrayList<>();
            for (Future<Calls> one : running) {
                calls.add(one.get());
            }
            double seconds = (System.nanoTime() - started) / 1e9;
            long[] latencies = calls.stream()
                    .flatMapToLong(one -> Arrays.stream(one.latencies, 0, one.count))
                    .sorted()
                    .toArray();
            return new Slice(
                    calls.stream().mapToLong(one -> one.events).sum(),
                    seconds,
                    latency(latencies, 0.5),
                    latency(latencies, 0.99),
                    appends.commits() - commitsBefore);
        } catch (ExecutionException | InterruptedException e) {
            throw Failure.of("a measurement", e);
        } finally {
            threads.shutdown();
        }
    }

    double perSecond() {
        return events / seconds;
    }

    double commitsPerEvent() {
        return (double) commits / events;
    }

    private static double latency(long[] sorted, double share) {
        return sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }

    /** What one caller has done. */
    private static final class Calls {

        private long[] latencies = new long[1024];
        private int count;
        private long events;

        static Calls make(Appends.Caller caller, Duration time) {
            Calls calls = new Calls();
            long end = System.nanoTime() + time.toNanos();
            for (long before = System.nanoTime(); before < end; ) {
                calls.events += caller.append();
                long now = System.nanoTime();
                calls.add(now - before);
                before = now;
            }
            return calls;
        }

        private void add(long latency) {
            if (count == latencies.length) {
                latencies = Arrays.copyOf(latencies, count * 2);
            }
            latencies[count++] = latency;
        }
    }
}
