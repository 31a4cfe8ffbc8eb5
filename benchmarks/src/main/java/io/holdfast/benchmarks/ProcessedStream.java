package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitterStatistics;
import io.holdfast.handling.Component;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The result of a service that handles a stream of its log.
 *
 * @param seconds the time from the start of the service until the last event is processed
 * @param committer the statistics of the whole run
 */
record ProcessedStream(double seconds, CommitterStatistics committer) {

    static final String EFFECTS = "receipts";

    private static final AggregateType<Purchases.Account> RECEIPTS = Purchases.accounts(EFFECTS);
    private static final long BOUND_NANOS = 120_000_000_000L;

    /**
     * Appends one event of the same key per handled event, decided on the newest state. Measures until all are
     * committed.
     */
    static ProcessedStream appending(DataSource dataSource, ProcessorSettings settings, int events) {
        Component component = Component.named("receipts")
                .on(
                        Purchases.Purchased.class,
                        (event, context) -> context.decide(
                                RECEIPTS,
                                event.account(),
                                account -> List.of(Purchases.purchase(event.account(), account.purchases() + 1))))
                .build();
        return run(dataSource, settings, component, null, events);
    }

    /** Only counts the events. Measures until the handler was called for all of them. */
    static ProcessedStream counting(DataSource dataSource, ProcessorSettings settings, int events) {
        LongAdder handled = new LongAdder();
        Component component = Component.named("counting")
                .on(Purchases.Purchased.class, (event, context) -> handled.increment())
                .build();
        return run(dataSource, settings, component, handled, events);
    }

    private static ProcessedStream run(
            DataSource dataSource,
            ProcessorSettings settings,
            Component component,
            @Nullable LongAdder handled,
            int events) {
        try (JdbcStore store = JdbcStore.in(Purchases.SERVICE, dataSource).open()) {
            long before = System.nanoTime();
            HoldfastService service = HoldfastService.named(Purchases.SERVICE, store, new InMemoryWire())
                    .owns(Purchases.STREAM, EFFECTS)
                    .processor("processor", definition -> definition
                            .reads(Purchases.STREAM)
                            .settings(settings)
                            .calls(component))
                    .start();
            try (service) {
                LongSupplier done =
                        handled == null ? () -> service.committerStatistics().events() : handled::sum;
                await(done, events, before, service);
                double seconds = (System.nanoTime() - before) / 1e9;
                service.close();
                return new ProcessedStream(seconds, service.committerStatistics());
            }
        }
    }

    private static void await(LongSupplier done, int events, long since, HoldfastService service) {
        while (done.getAsLong() < events) {
            if (System.nanoTime() - since > BOUND_NANOS) {
                throw new PermanentException("only " + done.getAsLong() + " of " + events
                        + " events were handled within two minutes; problems: "
                        + service.processor("processor").status().problems());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
