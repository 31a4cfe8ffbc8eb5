package io.holdfast.benchmarks;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Appends one event after another, each when the one before it has arrived everywhere, with a pause between. */
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
            long answered = System.nanoTime();
            times.append.add((answered - before) / 1e6);
            times.own.add((awaitHandled(own, number) - answered) / 1e6);
            times.other.add((awaitHandled(other, number) - answered) / 1e6);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return times;
    }

    private static long awaitHandled(TimingHandler handling, long number) {
        while (handling.handledAt(number) == 0) {
            LockSupport.parkNanos(20_000);
        }
        return handling.handledAt(number);
    }

    /** In milliseconds, by event. */
    record Times(List<Double> append, List<Double> own, List<Double> other) {}
}
