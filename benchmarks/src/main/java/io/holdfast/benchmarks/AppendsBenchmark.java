package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures durable appends through the committer, compared with other ways to write the same rows to the same server.
 * The variants alternate, and ratios are computed within one round, so that a busy machine slows all of them.
 */
@Command(
        name = "appends",
        sortOptions = false,
        description = "Measure durable appends with 1, 8 and 64 callers on PostgreSQL and H2, compared with one "
                + "commit per append, plain parallel inserts and raw batched inserts. Takes about 4 minutes.")
final class AppendsBenchmark implements Runnable {

    private static final List<Integer> CALLERS = List.of(1, 8, 64);
    private static final int MANY_CALLERS = 64;

    @Option(
            names = "--slice",
            paramLabel = "MILLIS",
            converter = PositiveNumber.class,
            description = "Duration of one measurement (default: ${DEFAULT-VALUE}).")
    private int slice = 2_000;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int repeats = 3;

    @Option(
            names = "--databases",
            paramLabel = "NAME",
            split = ",",
            description = "Databases: ${COMPLETION-CANDIDATES} (default: all).")
    private List<BenchDatabase.Kind> databases = List.of(BenchDatabase.Kind.values());

    @Option(
            names = "--only",
            paramLabel = "VARIANT",
            split = ",",
            description = "Variants to run: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Variant> variants = List.of(Variant.values());

    @Override
    public void run() {
        Machine.print();
        for (BenchDatabase.Kind kind : databases) {
            try (BenchDatabase database = kind.start()) {
                Report.line("");
                database.printSettings();
                measure(database);
            }
        }
        Machine.printLoad();
    }

    private Duration duration() {
        return Duration.ofMillis(slice);
    }

    private void measure(BenchDatabase database) {
        Map<Variant, AppendVariant> opened = new LinkedHashMap<>();
        variants.forEach(variant ->
                opened.put(variant, open(database, variant, database.create(variant.toString(), MANY_CALLERS + 4))));
        List<Run> runs = runs(opened);
        opened.values().forEach(AppendVariant::warmUp);
        runs.forEach(
                run -> Measurement.measure(run.appends, run.callers, duration().dividedBy(2)));
        for (int i = 0; i < repeats; i++) {
            for (Run run : runs) {
                database.settle();
                run.measurements.add(Measurement.measure(run.appends, run.callers, duration()));
            }
        }
        print(runs);
        if (database instanceof PostgresqlServer server) {
            printWal(server, opened);
        }
        if (variants.contains(Variant.GROUPED)) {
            printRoundTrips(database);
        }
        printGoals(database.name(), runs);
        opened.values().forEach(AppendVariant::close);
    }

    private static AppendVariant open(BenchDatabase database, Variant variant, HikariDataSource dataSource) {
        return switch (variant) {
            case SINGLE -> new SingleCommits(dataSource);
            case PLAIN -> new PlainInserts(dataSource);
            case BATCHED -> new BatchedInserts(dataSource, database instanceof PostgresqlServer);
            case GROUPED -> new GroupedAppends(dataSource);
        };
    }

    private static List<Run> runs(Map<Variant, AppendVariant> opened) {
        List<Run> runs = new ArrayList<>();
        for (int callers : CALLERS) {
            opened.forEach((variant, appends) -> {
                if (variant != Variant.BATCHED) {
                    runs.add(new Run(variant, callers, appends, new ArrayList<>()));
                } else if (callers == MANY_CALLERS) {
                    runs.add(new Run(variant, 1, appends, new ArrayList<>()));
                }
            });
        }
        return runs;
    }

    private static void print(List<Run> runs) {
        Report table = new Report(
                "", "callers", "events/s", "lowest", "highest", "p50 ms", "p99 ms", "commits/event", "events/commit");
        for (Run run : runs) {
            double commitsPerEvent = run.median(Measurement::commitsPerEvent);
            table.row(
                    run.variant.label,
                    Integer.toString(run.callers),
                    Report.number(run.median(Measurement::perSecond)),
                    Report.number(run.measurements.stream()
                            .mapToDouble(Measurement::perSecond)
                            .min()
                            .orElse(0)),
                    Report.number(run.measurements.stream()
                            .mapToDouble(Measurement::perSecond)
                            .max()
                            .orElse(0)),
                    Report.number(run.median(Measurement::p50)),
                    Report.number(run.median(Measurement::p99)),
                    Report.number(commitsPerEvent),
                    Report.number(1 / commitsPerEvent));
        }
        table.print();
    }

    private void printWal(PostgresqlServer server, Map<Variant, AppendVariant> opened) {
        Report table = new Report("WAL bytes per event", "full_page_writes on", "off");
        Map<Variant, List<String>> cells = new LinkedHashMap<>();
        for (boolean on : new boolean[] {true, false}) {
            server.fullPageWrites(on);
            opened.forEach((variant, appends) -> {
                server.settle();
                long before = server.walEnd();
                Measurement measured =
                        Measurement.measure(appends, variant == Variant.BATCHED ? 1 : MANY_CALLERS, duration());
                double bytes = (double) (server.walEnd() - before) / measured.events();
                cells.computeIfAbsent(variant, any -> new ArrayList<>()).add(Report.number(bytes));
            });
        }
        server.fullPageWrites(true);
        cells.forEach((variant, values) -> table.row(variant.label, values.get(0), values.get(1)));
        table.print();
    }

    private static void printRoundTrips(BenchDatabase database) {
        CountedCalls counted = new CountedCalls();
        try (GroupedAppends appends = new GroupedAppends(counted.wrap(database.create("counted", 8)))) {
            appends.warmUp();
            Measurement.measure(appends, MANY_CALLERS, Duration.ofMillis(200));
            counted.reset();
            Measurement measured = Measurement.measure(appends, MANY_CALLERS, Duration.ofMillis(500));
            double commits = measured.commits();
            Report.line("statements per commit, grouped, 64 callers (each is one round trip on PostgreSQL):");
            double all = 0;
            double milliseconds = 0;
            for (Map.Entry<String, CountedCalls.Calls> statement :
                    counted.calls().entrySet()) {
                CountedCalls.Calls calls = statement.getValue();
                all += calls.count() / commits;
                milliseconds += calls.milliseconds() / commits;
                if (calls.count() / commits >= 0.05) {
                    Report.line(
                            "  %.2f  %.3f ms  %s",
                            calls.count() / commits, calls.milliseconds() / commits, statement.getKey());
                }
            }
            Report.line(
                    "  %.2f  %.3f ms  in total; a commit takes %.3f ms",
                    all, milliseconds, measured.seconds() * 1000 / commits);
            Report.line("");
        }
    }

    private void printGoals(String database, List<Run> runs) {
        if (!variants.containsAll(List.of(Variant.values()))) {
            return;
        }
        Run grouped = find(runs, Variant.GROUPED, MANY_CALLERS);
        Report.line("goals with 64 callers on %s:", database);
        printGoal(">= 10 x (a)", 10, grouped, find(runs, Variant.SINGLE, MANY_CALLERS));
        printGoal(">= 4 x (b)", 4, grouped, find(runs, Variant.PLAIN, MANY_CALLERS));
        printGoal(">= 0.5 x (c)", 0.5, grouped, find(runs, Variant.BATCHED, 1));
        double commitsPerEvent = grouped.median(Measurement::commitsPerEvent);
        Report.goal("commits per event < 0.1", commitsPerEvent < 0.1, Report.number(commitsPerEvent));
        Report.line("");
    }

    private static void printGoal(String goal, double minRatio, Run grouped, Run other) {
        double[] ratios = new double[grouped.measurements.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = grouped.measurements.get(i).perSecond()
                    / other.measurements.get(i).perSecond();
        }
        double ratio = Report.median(ratios);
        StringBuilder rounds = new StringBuilder();
        for (double one : ratios) {
            rounds.append(' ').append(Report.number(one));
        }
        Report.goal(goal, ratio >= minRatio, Report.number(ratio) + " x (per round:" + rounds + ")");
    }

    private static Run find(List<Run> runs, Variant variant, int callers) {
        return runs.stream()
                .filter(run -> run.variant == variant && run.callers == callers)
                .findFirst()
                .orElseThrow();
    }

    /** A variant with a number of callers, and its measurements, one per round. */
    private record Run(Variant variant, int callers, AppendVariant appends, List<Measurement> measurements) {

        double median(ToDoubleFunction<Measurement> figure) {
            return Report.median(measurements.stream().mapToDouble(figure).toArray());
        }
    }

    private enum Variant {
        SINGLE("(a) one commit per append"),
        PLAIN("(b) plain parallel inserts"),
        BATCHED("(c) raw batches of 64"),
        GROUPED("Holdfast, grouped commits");

        private final String label;

        Variant(String label) {
            this.label = label;
        }

        /** Returns the name on the command line, which is also the name of the database. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
