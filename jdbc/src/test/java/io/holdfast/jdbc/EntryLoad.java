package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes entries at a steady pace, up to a limit that the test raises. Each write is an entry of both types. */
final class EntryLoad implements AutoCloseable {

    private static final Duration PACE = Duration.ofMillis(10);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger limit = new AtomicInteger();
    private final ScheduledFuture<?> writes;

    EntryLoad(EntryWriter writer, int keys, Random random) {
        this.writes = thread.scheduleWithFixedDelay(
                () -> {
                    if (written.get() < limit.get()) {
                        writer.writeBoth("key-" + random.nextInt(keys), random);
                        written.incrementAndGet();
                    }
                },
                0,
                PACE.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Lets the load write that many times more. */
    void raise(int more) {
        limit.addAndGet(more);
    }

    int written() {
        return written.get();
    }

    void awaitWritten(int count) {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(1)).until(() -> written.get() >= count || writes.isDone());
        assertThat(writes.isDone()).as("a write has failed").isFalse();
    }

    /** Waits until everything up to the limit is written. */
    void awaitLimit() {
        awaitWritten(limit.get());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            assertThat(thread.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
