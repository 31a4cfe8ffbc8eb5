package io.holdfast.commit.group;

import io.holdfast.commit.CommitterStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Counts and measures a committer's work. Thread-safe. */
final class CommitterCounters {

    private final LongAdder units = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final Timer appends;

    CommitterCounters(MeterRegistry registry) {
        this.appends = Timer.builder("eventlog.append.duration")
                .description("Duration of a commit to the event log, without time in the queue")
                .publishPercentileHistogram()
                .register(registry);
    }

    void accepted(int count) {
        units.add(count);
    }

    void decided() {
        decisions.increment();
    }

    /** @param nanos the time since the transaction began or was joined */
    void committed(int count, long nanos) {
        commits.increment();
        events.add(count);
        appends.record(nanos, TimeUnit.NANOSECONDS);
    }

    void conflicted() {
        conflicts.increment();
    }

    CommitterStatistics read() {
        return new CommitterStatistics(units.sum(), decisions.sum(), commits.sum(), events.sum(), conflicts.sum());
    }
}
