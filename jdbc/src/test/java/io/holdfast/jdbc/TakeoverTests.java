package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes share the segments of a processor under load, and one after the other ends. */
class TakeoverTests {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int CUSTOMERS = 40;

    private final String url = PostgresqlServer.sharedDurable().newDatabase();

    @Test
    void survivorClaimsAllSegmentsAfterAKillAndNothingIsLostOrDuplicated() {
        try (CopyingReplica orders = CopyingReplica.withoutProcessor(url);
                CopyingProcess one = start("one");
                CopyingProcess other = start("other");
                Load load = new Load(orders)) {
            one.awaitClaimed(CopyingReplica.SEGMENTS / 2);
            other.awaitClaimed(CopyingReplica.SEGMENTS / 2);

            one.process().kill();
            long start = System.nanoTime();
            other.awaitClaimed(CopyingReplica.SEGMENTS);
            Duration takeover = Duration.ofNanos(System.nanoTime() - start);

            load.stop();
            new CopyAudit(orders).awaitAllCopied().everyOrderIsCopiedOnce(false);
            assertThat(takeover).as("time until it has claimed all segments").isLessThan(LEASE.plusSeconds(5));
        }
    }

    @Test
    void rollingRestartUnderLoadLosesAndDuplicatesNothing() {
        restart(1);
    }

    @Tag("long")
    @Test
    void threeRollingRestartsUnderLoadLoseAndDuplicateNothing() {
        restart(3);
    }

    private void restart(int rounds) {
        Deque<CopyingProcess> running = new ArrayDeque<>();
        try (CopyingReplica orders = CopyingReplica.withoutProcessor(url);
                Load load = new Load(orders)) {
            running.add(start("one-0"));
            running.add(start("other-0"));
            for (int round = 1; round <= rounds; round++) {
                running.add(restarted(running.removeFirst(), running.getFirst(), "one-" + round));
                running.add(restarted(running.removeFirst(), running.getFirst(), "other-" + round));
            }
            running.forEach(process -> process.awaitClaimed(CopyingReplica.SEGMENTS / 2));

            load.stop();
            new CopyAudit(orders).awaitAllCopied().everyOrderIsCopiedOnce(false);
        } finally {
            running.forEach(CopyingProcess::close);
        }
    }

    private CopyingProcess restarted(CopyingProcess leaving, CopyingProcess staying, String name) {
        try (leaving) {
            leaving.awaitClaimed(CopyingReplica.SEGMENTS / 2);
            staying.awaitClaimed(CopyingReplica.SEGMENTS / 2);
            leaving.process().signal(Signal.TERM);
            leaving.process().awaitEndedBy(Signal.TERM);
        }
        return start(name);
    }

    private CopyingProcess start(String name) {
        return CopyingProcess.start(
                url, CopyingOptions.of(name).failingAtFirst().lease(LEASE));
    }

    /** Places one order of each customer ten times a second. */
    private static final class Load implements AutoCloseable {

        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        private final ScheduledFuture<?> orders;

        Load(CopyingReplica replica) {
            this.orders =
                    thread.scheduleWithFixedDelay(() -> replica.place(CUSTOMERS, 1), 0, 100, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            stop();
        }

        /** Fails if an order has failed, because that ends the schedule. */
        void stop() {
            assertThat(orders.isDone() && !orders.isCancelled())
                    .as("an order has failed")
                    .isFalse();
            orders.cancel(false);
            thread.shutdown();
            try {
                assertThat(thread.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
