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
 * The result of one measurement.
 *
 * @param p50 the median latency of a call in milliseconds
 * @param p99 the 99th percentile of the latency in milliseconds
 */
record Measurement(long events, double seconds, double p50, double p99, long commits) {

    /** Runs concurrent callers for a while. Each starts its next append when the previous one returns. */
    static Measurement measure(AppendVariant appends, int callers, Duration time) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        CountDownLatch start = new CountDownLatch(1);
        try {
            long commitsBefore = appends.commits();
            List<Future<CallerRun>> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                running.add(threads.submit(() -> {
                    try (AppendVariant.Caller caller = appends.caller(number, callers)) {
                        start.await();
                        return CallerRun.run(caller, time);
                    }
                }));
            }
            long started = System.nanoTime();
            start.countDown();
            List<CallerRun> calls = new ArrayList<>();
            for (Future<CallerRun> one : running) {
                calls.add(one.get());
            }
            double seconds = (System.nanoTime() - started) / 1e9;
            long[] latencies = calls.stream()
                    .flatMapToLong(one -> Arrays.stream(one.latencies, 0, one.count))
                    .sorted()
                    .toArray();
            return new Measurement(
                    calls.stream().mapToLong(one -> one.events).sum(),
                    seconds,
                    percentile(latencies, 0.5),
                    percentile(latencies, 0.99),
                    appends.commits() - commitsBefore);
        } catch (ExecutionException | InterruptedException e) {
            throw Failures.of("measuring appends", e);
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

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }

    /** The calls of one caller. */
    private static final class CallerRun {

        private long[] latencies = new long[1024];
        private int count;
        private long events;

        static CallerRun run(AppendVariant.Caller caller, Duration time) {
            CallerRun calls = new CallerRun();
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
