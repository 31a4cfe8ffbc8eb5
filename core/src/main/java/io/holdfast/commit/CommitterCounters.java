package io.holdfast.commit;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a committer does. For any number of threads. */
final class CommitterCounters {

    private final LongAdder units = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder conflicts = new LongAdder();

    void took(int count) {
        units.add(count);
    }

    void decided() {
        decisions.increment();
    }

    void committed(int count) {
        commits.increment();
        events.add(count);
    }

    void conflicted() {
        conflicts.increment();
    }

    CommitterStatistics read() {
        return new CommitterStatistics(units.sum(), decisions.sum(), commits.sum(), events.sum(), conflicts.sum());
    }
}
