package io.holdfast.benchmarks;

import java.util.Map;

/**
 * What orders cost in one run, from the first call until all are confirmed.
 *
 * @param cpuMicros processor time of the whole process per order, in microseconds
 * @param statements of the order service, per order; 0 if they were not counted
 * @param commits of the order service, per order; 0 if they were not counted
 * @param rows rows of views that the order service wrote, per order; 0 if they were not counted
 */
record TrackingFigures(double ordersPerSecond, double cpuMicros, double statements, double commits, double rows) {

    /** Runs orders and measures them. */
    static TrackingFigures measure(int orders, CountedCalls counted, Runnable placeAndAwaitConfirmed) {
        counted.reset();
        long cpu = Machine.cpuNanos();
        long started = System.nanoTime();
        placeAndAwaitConfirmed.run();
        double seconds = (System.nanoTime() - started) / 1e9;
        double cpuMicros = (Machine.cpuNanos() - cpu) / 1e3;
        long statements = 0;
        long commits = 0;
        long rows = 0;
        for (Map.Entry<String, CountedCalls.Calls> entry : counted.calls().entrySet()) {
            CountedCalls.Calls calls = entry.getValue();
            statements += calls.count();
            commits += entry.getKey().equals(CountedCalls.COMMIT) ? calls.count() : 0;
            rows += entry.getKey().matches("(insert|merge) into holdfast_row .*") ? calls.rows() : 0;
        }
        double each = orders;
        return new TrackingFigures(orders / seconds, cpuMicros / each, statements / each, commits / each, rows / each);
    }
}
