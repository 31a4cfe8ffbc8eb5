package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what tracking costs: the same shop with and without sagas. The variants alternate, and ratios are computed
 * within one round, so that a busy machine slows both. Also measures lists, counts and the timeout detector over a
 * million sagas.
 */
@Command(
        name = "sagas",
        sortOptions = false,
        description = {
            "Measure orders per second with and without tracking them as sagas; then lists, counts and the",
            "timeout detector with many sagas on PostgreSQL. Takes about 5 minutes."
        })
final class SagasBenchmark implements Runnable {

    private static final double GOAL = 0.90;
    private static final double FLOOR = 0.85;

    @Option(names = "--database", description = "postgresql or h2 (default: ${DEFAULT-VALUE}).")
    private BenchDatabase.Kind kind = BenchDatabase.Kind.H2;

    @Option(
            names = "--orders",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Orders per measurement (default: ${DEFAULT-VALUE}).")
    private int orders = 5_000;

    @Option(
            names = "--callers",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Concurrent callers (default: ${DEFAULT-VALUE}).")
    private int callers = 16;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Pairs of measurements (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = {
                "Pairs before the first measurement (default: ${DEFAULT-VALUE}). The last one counts statements. With",
                "few pairs, both variants are measured while the JVM still compiles them, and seem more alike."
            })
    private int warmUp = 3;

    @Option(
            names = "--ended",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Stored sagas that have ended (default: ${DEFAULT-VALUE}).")
    private int ended = 1_000_000;

    @Option(
            names = "--open",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Stored sagas that are open (default: ${DEFAULT-VALUE}).")
    private int open = 10_000;

    @Option(names = "--only", description = "tracking or stored (default: both).")
    private Part only = Part.BOTH;

    @Override
    public void run() {
        Machine.print();
        if (only != Part.STORED) {
            measureTracking();
        }
        if (only != Part.TRACKING) {
            new StoredSagas(ended, open).measure();
        }
        Machine.printLoad();
    }

    private void measureTracking() {
        try (BenchDatabase database = kind.start()) {
            Report.line(
                    "%s; %,d orders, %d callers, %d pairs to warm up, three services in one process",
                    database.name(), orders, callers, warmUp);
            List<ShopRun.Result> without = new ArrayList<>();
            List<ShopRun.Result> with = new ArrayList<>();
            double[] statements = new double[2];
            for (int round = 1 - warmUp; round <= repeats; round++) {
                ShopRun.Result plain = measure(database, false, round);
                ShopRun.Result tracked = measure(database, true, round);
                if (round == 0) {
                    statements[0] = plain.statements();
                    statements[1] = tracked.statements();
                }
                if (round > 0) {
                    Report.line(
                            "pair %d: %s and %s orders/s, %s and %s µs of processor time per order",
                            round,
                            Report.number(plain.ordersPerSecond()),
                            Report.number(tracked.ordersPerSecond()),
                            Report.number(plain.cpuMicros()),
                            Report.number(tracked.cpuMicros()));
                    without.add(plain);
                    with.add(tracked);
                }
            }
            print(without, with, statements);
        }
    }

    private ShopRun.Result measure(BenchDatabase database, boolean tracked, int round) {
        database.settle();
        try (ShopRun run = new ShopRun(tracked, round == 0)) {
            return run.run(database, (tracked ? "tracked" : "plain") + (round + warmUp), orders, callers);
        }
    }

    private void print(List<ShopRun.Result> without, List<ShopRun.Result> with, double[] statements) {
        Report table = new Report(
                "order service", "orders/s", "cpu µs/order", "statements/order", "commits/order", "saga rows/order");
        row(table, "without tracking", without, statements[0]);
        row(table, "with tracking", with, statements[1]);
        table.print();
        double[] ratios = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            ratios[i] = with.get(i).ordersPerSecond() / without.get(i).ordersPerSecond();
        }
        double median = Report.median(ratios);
        String figure = Report.number(median) + " x ("
                + Arrays.stream(ratios).mapToObj(Report::number).toList() + ")";
        Report.goal("tracking keeps at least " + GOAL + " x of the throughput", median >= GOAL, figure);
        Report.goal("tracking keeps at least " + FLOOR + " x of the throughput", median >= FLOOR, figure);
        Report.line("");
    }

    private static void row(Report table, String what, List<ShopRun.Result> results, double statements) {
        table.row(
                what,
                median(results, ShopRun.Result::ordersPerSecond),
                median(results, ShopRun.Result::cpuMicros),
                Report.number(statements),
                median(results, ShopRun.Result::commits),
                median(results, ShopRun.Result::rowWrites));
    }

    private static String median(List<ShopRun.Result> results, ToDoubleFunction<ShopRun.Result> figure) {
        return Report.number(Report.median(results.stream().mapToDouble(figure).toArray()));
    }

    /** What to measure. */
    enum Part {
        TRACKING,
        STORED,
        BOTH
    }
}
