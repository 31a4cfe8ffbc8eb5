package io.holdfast.benchmarks;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Appends events one at a time: each after all handlers have received the previous one, and a pause. */
final class TimedAppends {

    private static final AggregateType<Purchases.Account> TIMED = Purchases.accounts("timed");
    private static final long PAUSE_NANOS = 5_000_000;

    private final HoldfastService service;
    private final TimingHandler own;
    private final TimingHandler other;
    private long next = 1;

    TimedAppends(HoldfastService service, TimingHandler own, TimingHandler other) {
        this.service = service;
        this.own = own;
        this.other = other;
    }

    Times run(int count) {
        Times times = new Times(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < count; i++) {
            long number = next++;
            long before = System.nanoTime();
            service.commands()
                    .execute(
                            Command.once(Clock.systemUTC()),
                            TIMED,
                            "a",
                            account -> List.of(Purchases.purchase("a", number)));
            long returnedAt = System.nanoTime();
            times.append.add((returnedAt - before) / 1e6);
            times.own.add((awaitHandled(own, number) - returnedAt) / 1e6);
            times.other.add((awaitHandled(other, number) - returnedAt) / 1e6);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return times;
    }

    private static long awaitHandled(TimingHandler handler, long number) {
        while (handler.handledAt(number) == 0) {
            LockSupport.parkNanos(20_000);
        }
        return handler.handledAt(number);
    }

    /** The times per event in milliseconds. */
    record Times(List<Double> append, List<Double> own, List<Double> other) {}
}
