package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The measurements of all rounds for one number of parked sequences. Ratios are computed within one round. */
final class DeadLetterFigures {

    private static final double FLOOR = 10;
    private static final double GOAL = 50;
    /**
     * Number of {@code processAny} calls to evaluate per round: the first ones, while almost all sequences are parked.
     */
    static final int PICKS = 20;

    private final int size;
    private final Map<DeadLetterVariant, List<Work>> works = new EnumMap<>(DeadLetterVariant.class);
    private final List<Double> picks = new ArrayList<>();
    private final List<Double> axonPicks = new ArrayList<>();
    private final List<Double> starts = new ArrayList<>();

    DeadLetterFigures(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    void add(DeadLetterVariant variant, Work work) {
        works.computeIfAbsent(variant, any -> new ArrayList<>()).add(work);
    }

    void add(AxonReplay replay) {
        add(DeadLetterVariant.AXON_REPLAY, replay.work());
        axonPicks.addAll(replay.calls().stream().limit(PICKS).toList());
    }

    void add(HoldfastReplay replay) {
        add(DeadLetterVariant.REPLAY_ONE_BY_ONE, replay.oneByOne());
        add(DeadLetterVariant.REPLAY_ALL, replay.all());
        picks.addAll(replay.calls().stream().limit(PICKS).toList());
        starts.add(replay.startupSeconds());
    }

    /** Returns the median duration of a {@code processAny} call in milliseconds. */
    double medianPick() {
        return median(picks);
    }

    void print() {
        Report table = new Report(
                String.format(Locale.ROOT, "%,d parked sequences", size), "per second", "lowest", "highest", "done");
        works.forEach((variant, measured) -> row(table, variant.label, measured));
        table.print();
        Report.line(
                "one processAny: Axon %s ms, Holdfast %s ms (medians of %d and %d)",
                Report.number(median(axonPicks)), Report.number(medianPick()), axonPicks.size(), picks.size());
        Report.line(
                "Holdfast, from the start of the service until all segments are claimed and their caches loaded: %s s",
                Report.number(median(starts)));
        printGoals("park", DeadLetterVariant.PARK, DeadLetterVariant.AXON_PARK);
        printGoals("replay", DeadLetterVariant.REPLAY_ALL, DeadLetterVariant.AXON_REPLAY);
        Report.line(
                "parking compared with Axon's fastest variant: %s x",
                Report.number(median(ratios(rates(DeadLetterVariant.PARK), fastestParking()))));
        Report.line(
                "processAny in a loop compared with Axon's: %s x",
                Report.number(median(
                        ratios(rates(DeadLetterVariant.REPLAY_ONE_BY_ONE), rates(DeadLetterVariant.AXON_REPLAY)))));
    }

    private void printGoals(String action, DeadLetterVariant ours, DeadLetterVariant theirs) {
        List<Double> ratios = ratios(rates(ours), rates(theirs));
        String figure = Report.number(median(ratios)) + " x (per round: "
                + String.join(" ", ratios.stream().map(Report::number).toList()) + ")";
        String where = String.format(Locale.ROOT, "%s with %,d parked sequences: at least ", action, size);
        Report.goal("floor, " + where + Report.number(FLOOR) + " x Axon", median(ratios) >= FLOOR, figure);
        Report.goal("goal,  " + where + Report.number(GOAL) + " x Axon", median(ratios) >= GOAL, figure);
    }

    private List<Double> rates(DeadLetterVariant variant) {
        return works.getOrDefault(variant, List.of()).stream()
                .map(Work::perSecond)
                .toList();
    }

    private List<Double> fastestParking() {
        List<List<Double>> all = Stream.of(
                        DeadLetterVariant.AXON_PARK,
                        DeadLetterVariant.AXON_PARK_MULTITHREADED,
                        DeadLetterVariant.AXON_PARK_BATCHED)
                .map(this::rates)
                .toList();
        return IntStream.range(0, all.get(0).size())
                .mapToObj(round -> all.stream()
                        .mapToDouble(rates -> rates.get(round))
                        .max()
                        .orElseThrow())
                .toList();
    }

    static List<Double> ratios(List<Double> ours, List<Double> theirs) {
        return IntStream.range(0, ours.size())
                .mapToObj(round -> ours.get(round) / theirs.get(round))
                .toList();
    }

    static double median(List<Double> values) {
        return Report.median(values.stream().mapToDouble(value -> value).toArray());
    }

    static void row(Report table, String label, List<Work> works) {
        double[] rates = works.stream().mapToDouble(Work::perSecond).sorted().toArray();
        table.row(
                label,
                Report.number(Report.median(rates)),
                Report.number(rates[0]),
                Report.number(rates[rates.length - 1]),
                String.join(
                        " ",
                        works.stream().map(work -> String.valueOf(work.count())).toList()));
    }
}
