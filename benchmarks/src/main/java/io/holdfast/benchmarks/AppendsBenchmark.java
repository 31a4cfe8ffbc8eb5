package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures durable appends through the committer, compared with other ways to write the same rows to the same server.
 * The variants alternate, and ratios are computed within one round, so that a busy machine slows all of them.
 */
final class AppendsBenchmark {

    private static final List<Integer> CALLERS = List.of(1, 8, 64);
    private static final int MANY_CALLERS = 64;
    private static final String GROUPED = "grouped";
    private static final String SINGLE = "single";
    private static final String PLAIN = "plain";
    private static final String BATCHED = "batched";

    private static final Map<String, String> NAMES = Map.of(
            GROUPED, "Holdfast, grouped commits",
            SINGLE, "(a) one commit per append",
            PLAIN, "(b) plain parallel inserts",
            BATCHED, "(c) raw batches of 64");

    private final Duration duration;
    private final int repeats;
    private final List<String> databases;
    private final List<String> variants;

    AppendsBenchmark(Options options) {
        options.requireKnown("slice", "repeats", "databases", "only");
        this.duration = Duration.ofMillis(options.number("slice", 2000));
        this.repeats = (int) options.number("repeats", 3);
        this.databases = options.names("databases", "postgresql", "h2");
        this.variants = options.names("only", SINGLE, PLAIN, BATCHED, GROUPED);
    }

    void run() {
        Machine.print();
        for (String name : databases) {
            try (BenchDatabase database = BenchDatabase.start(name)) {
                Report.line("");
                database.printSettings();
                measure(database);
            }
        }
        Machine.printLoad();
    }

    private void measure(BenchDatabase database) {
        Map<String, AppendVariant> opened = new LinkedHashMap<>();
        variants.forEach(
                variant -> opened.put(variant, open(database, variant, database.create(variant, MANY_CALLERS + 4))));
        List<Run> runs = runs(opened);
        opened.values().forEach(AppendVariant::warmUp);
        runs.forEach(run -> Measurement.measure(run.appends, run.callers, duration.dividedBy(2)));
        for (int i = 0; i < repeats; i++) {
            for (Run run : runs) {
                database.settle();
                run.measurements.add(Measurement.measure(run.appends, run.callers, duration));
            }
        }
        print(runs);
        if (database instanceof PostgresqlServer server) {
            printWal(server, opened);
        }
        if (variants.contains(GROUPED)) {
            printRoundTrips(database);
        }
        printGoals(database.name(), runs);
        opened.values().forEach(AppendVariant::close);
    }

    private static AppendVariant open(BenchDatabase database, String variant, HikariDataSource dataSource) {
        return switch (variant) {
            case SINGLE -> new SingleCommits(dataSource);
            case PLAIN -> new PlainInserts(dataSource);
            case BATCHED -> new BatchedInserts(dataSource, database instanceof PostgresqlServer);
            default -> new GroupedAppends(dataSource);
        };
    }

    private static List<Run> runs(Map<String, AppendVariant> opened) {
        List<Run> runs = new ArrayList<>();
        for (int callers : CALLERS) {
            opened.forEach((variant, appends) -> {
                if (!variant.equals(BATCHED)) {
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
                    NAMES.getOrDefault(run.variant, run.variant),
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

    private void printWal(PostgresqlServer server, Map<String, AppendVariant> opened) {
        Report table = new Report("WAL bytes per event", "full_page_writes on", "off");
        Map<String, List<String>> cells = new LinkedHashMap<>();
        for (boolean on : new boolean[] {true, false}) {
            server.fullPageWrites(on);
            opened.forEach((variant, appends) -> {
                server.settle();
                long before = server.walEnd();
                Measurement measured =
                        Measurement.measure(appends, variant.equals(BATCHED) ? 1 : MANY_CALLERS, duration);
                double bytes = (double) (server.walEnd() - before) / measured.events();
                cells.computeIfAbsent(variant, any -> new ArrayList<>()).add(Report.number(bytes));
            });
        }
        server.fullPageWrites(true);
        cells.forEach(
                (variant, values) -> table.row(NAMES.getOrDefault(variant, variant), values.get(0), values.get(1)));
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
        if (!variants.containsAll(NAMES.keySet())) {
            return;
        }
        Run grouped = find(runs, GROUPED, MANY_CALLERS);
        Report.line("goals with 64 callers on %s:", database);
        printGoal(">= 10 x (a)", 10, grouped, find(runs, SINGLE, MANY_CALLERS));
        printGoal(">= 4 x (b)", 4, grouped, find(runs, PLAIN, MANY_CALLERS));
        printGoal(">= 0.5 x (c)", 0.5, grouped, find(runs, BATCHED, 1));
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

    private static Run find(List<Run> runs, String variant, int callers) {
        return runs.stream()
                .filter(run -> run.variant.equals(variant) && run.callers == callers)
                .findFirst()
                .orElseThrow();
    }

    /** A variant with a number of callers, and its measurements, one per round. */
    private record Run(String variant, int callers, AppendVariant appends, List<Measurement> measurements) {

        double median(ToDoubleFunction<Measurement> figure) {
            return Report.median(measurements.stream().mapToDouble(figure).toArray());
        }
    }
}
