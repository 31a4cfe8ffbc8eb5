package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitterStatistics;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.handling.Component;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.status.ProcessorStatus;
import io.holdfast.service.HoldfastService;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** A service that uses a {@link HoldfastQueue}, with default settings except the limits, which are never reached. */
final class ParkingService implements AutoCloseable {

    private static final long BOUND_NANOS = 120_000_000_000L;

    private final LongAdder handled = new LongAdder();
    private final JdbcStore store;
    private final HoldfastService service;
    private final long startedAt = System.nanoTime();

    private ParkingService(DataSource dataSource, boolean succeeding, int cacheSize, ChangeListener changes) {
        this.store = JdbcStore.in(Purchases.SERVICE, dataSource).open();
        Component component = Component.named(HoldfastQueue.COMPONENT)
                .on(Purchases.Purchased.class, (event, context) -> {
                    if (!succeeding) {
                        throw new AccountClosedException();
                    }
                    handled.increment();
                })
                .build();
        this.service = HoldfastService.named(Purchases.SERVICE, store, new InMemoryWire())
                .owns(Purchases.STREAM)
                .deadLetters(queue -> queue.maxSequences(Integer.MAX_VALUE)
                        .maxSequenceSize(Integer.MAX_VALUE)
                        .cacheSize(cacheSize))
                .deadLetterListener(changes::onChange)
                .processor(
                        HoldfastQueue.PROCESSOR,
                        definition -> definition.reads(Purchases.STREAM).calls(component))
                .start();
    }

    /** Called on the processor's thread after each commit. */
    @FunctionalInterface
    interface ChangeListener {

        void onChange(DeadLetterChange change);
    }

    static ParkingService failing(DataSource dataSource, ChangeListener changes) {
        return new ParkingService(dataSource, false, QueueSettings.DEFAULT_CACHE_SIZE, changes);
    }

    static ParkingService succeeding(DataSource dataSource, int cacheSize) {
        return new ParkingService(dataSource, true, cacheSize, change -> {});
    }

    /** Returns how often the handler succeeded. */
    long handled() {
        return handled.sum();
    }

    SequencedDeadLetterQueue queue() {
        return service.deadLetterQueue(HoldfastQueue.PROCESSOR, HoldfastQueue.COMPONENT);
    }

    SequencedDeadLetterProcessor processor() {
        return service.deadLetterProcessor(HoldfastQueue.PROCESSOR, HoldfastQueue.COMPONENT);
    }

    CommitterStatistics committer() {
        return service.committerStatistics();
    }

    /** @return the seconds from the start until all segments are claimed and their parked sequences loaded */
    double awaitClaimed(int parked) {
        await("claiming all segments with " + parked + " parked sequences", () -> {
            ProcessorStatus status = status();
            return status.isClaimed() && status.parked().getOrDefault(SequenceState.PENDING, 0) == parked;
        });
        return (System.nanoTime() - startedAt) / 1e9;
    }

    void await(String what, BooleanSupplier done) {
        long since = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - since > BOUND_NANOS) {
                throw new PermanentException(what + " did not complete within two minutes; parked " + status().parked()
                        + ", problems " + status().problems());
            }
            LockSupport.parkNanos(200_000);
        }
    }

    private ProcessorStatus status() {
        return service.processor(HoldfastQueue.PROCESSOR).status();
    }

    @Override
    public void close() {
        service.close();
        store.close();
    }
}
