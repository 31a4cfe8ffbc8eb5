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
            Report.line("%s; %,d orders, %d callers, three services in one process", database.name(), orders, callers);
            List<ShopRun.Result> without = new ArrayList<>();
            List<ShopRun.Result> with = new ArrayList<>();
            for (int round = 0; round <= repeats; round++) {
                ShopRun.Result plain = measure(database, false, round);
                ShopRun.Result tracked = measure(database, true, round);
                if (round > 0) { // round 0 is the warm-up
                    without.add(plain);
                    with.add(tracked);
                }
            }
            print(without, with);
        }
    }

    private ShopRun.Result measure(BenchDatabase database, boolean tracked, int round) {
        database.settle();
        try (ShopRun run = new ShopRun(tracked)) {
            return run.run(database, (tracked ? "tracked" : "plain") + round, orders, callers);
        }
    }

    private void print(List<ShopRun.Result> without, List<ShopRun.Result> with) {
        Report table = new Report("order service", "orders/s", "statements/order", "commits/order", "saga rows/order");
        row(table, "without tracking", without);
        row(table, "with tracking", with);
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

    private static void row(Report table, String what, List<ShopRun.Result> results) {
        table.row(
                what,
                median(results, ShopRun.Result::ordersPerSecond),
                median(results, ShopRun.Result::statements),
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
