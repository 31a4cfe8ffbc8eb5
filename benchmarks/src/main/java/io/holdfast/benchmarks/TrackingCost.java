package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares orders in two variants of the shop: without and with tracking, choreographed and orchestrated. They alternate, and which one is first, too. Ratios are computed
 * within one pair, so that a busy machine slows both.
 */
final class TrackingCost {

    static final Comparison TRACKING = new Comparison(
            "without tracking", "with tracking", "tracking keeps at least %s x of the throughput", List.of(0.90, 0.85));

    static final Comparison FLOWS = new Comparison(
            "choreographed", "orchestrated", "orchestration reaches at least %s x of choreography", List.of(0.80));

    private final Comparison comparison;
    private final int warmUp;
    private final int repeats;
    private final List<TrackingFigures> without = new ArrayList<>();
    private final List<TrackingFigures> with = new ArrayList<>();

    /**
     * @param comparison names the variants
     * @param warmUp pairs that are not reported; statements are counted in the last one, because counting takes time
     * @param repeats pairs that are
     */
    TrackingCost(Comparison comparison, int warmUp, int repeats) {
        this.comparison = comparison;
        this.warmUp = warmUp;
        this.repeats = repeats;
    }

    void measure(Shop shop) {
        for (int round = 1 - warmUp; round <= repeats; round++) {
            boolean counting = round == 0;
            boolean trackedFirst = round % 2 == 0;
            TrackingFigures first = run(shop, trackedFirst, counting);
            TrackingFigures second = run(shop, !trackedFirst, counting);
            without.add(trackedFirst ? second : first);
            with.add(trackedFirst ? first : second);
            if (round > 0) {
                printPair(round);
            }
        }
        print();
    }

    /** Collects what the previous shop has left, so that the next one does not pay for it. */
    private static TrackingFigures run(Shop shop, boolean tracked, boolean counting) {
        System.gc();
        return shop.run(tracked, counting);
    }

    private void printPair(int round) {
        TrackingFigures plain = without.get(without.size() - 1);
        TrackingFigures tracked = with.get(with.size() - 1);
        Report.line(
                "pair %d: %s and %s orders/s, %s and %s µs of processor time per order, load average %.1f",
                round,
                Report.number(plain.ordersPerSecond()),
                Report.number(tracked.ordersPerSecond()),
                Report.number(plain.cpuMicros()),
                Report.number(tracked.cpuMicros()),
                Machine.loadAverage());
    }

    private void print() {
        Report table = new Report(
                "order service", "orders/s", "cpu µs/order", "statements/order", "commits/order", "view rows/order");
        row(table, comparison.base(), without);
        row(table, comparison.variant(), with);
        table.print();
        double[] cpu = ratios(TrackingFigures::cpuMicros);
        Report.line("processor time per order: %s", figure(cpu));
        double[] ratios = ratios(TrackingFigures::ordersPerSecond);
        double median = Report.median(ratios);
        for (double goal : comparison.goals()) {
            Report.goal(String.format(Locale.ROOT, comparison.claim(), goal), median >= goal, figure(ratios));
        }
        Report.line("");
    }

    private void row(Report table, String what, List<TrackingFigures> figures) {
        TrackingFigures counted = figures.get(warmUp - 1);
        table.row(
                what,
                median(figures, TrackingFigures::ordersPerSecond),
                median(figures, TrackingFigures::cpuMicros),
                Report.number(counted.statements()),
                Report.number(counted.commits()),
                Report.number(counted.rows()));
    }

    private String median(List<TrackingFigures> figures, ToDoubleFunction<TrackingFigures> figure) {
        return Report.number(
                Report.median(figures.stream().skip(warmUp).mapToDouble(figure).toArray()));
    }

    /** Returns the ratios of the reported pairs: with tracking to without. */
    private double[] ratios(ToDoubleFunction<TrackingFigures> figure) {
        return IntStream.range(warmUp, warmUp + repeats)
                .mapToDouble(i -> figure.applyAsDouble(with.get(i)) / figure.applyAsDouble(without.get(i)))
                .toArray();
    }

    private static String figure(double... ratios) {
        return format(Report.median(ratios)) + " x ("
                + Arrays.stream(ratios).mapToObj(TrackingCost::format).collect(Collectors.joining(", ")) + ")";
    }

    private static String format(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    /**
     * Two variants to compare.
     *
     * @param base the variant that counts as 1
     * @param claim what the other one should reach; %s stands for the goal
     */
    record Comparison(String base, String variant, String claim, List<Double> goals) {

        Comparison {
            goals = List.copyOf(goals);
        }
    }

    /** A shop that is started for one run. */
    @FunctionalInterface
    interface Shop {
        TrackingFigures run(boolean tracked, boolean counting);
    }
}
