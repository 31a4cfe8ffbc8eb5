package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastServiceBuilder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures how fast a processor handles a stream that is already in the log, with one appended event per handled event,
 * compared with a hand-written handler that commits one transaction per event. The variants alternate, and ratios are
 * computed within one round, so that a busy machine slows all of them.
 */
@Command(
        name = "processing",
        sortOptions = false,
        description = {
            "Measure a processor whose handler appends one event per event, compared with hand-written "
                    + "code that commits one transaction per event.",
            "Count rows and statements per event. PostgreSQL only. Takes about 3 minutes."
        })
final class ProcessingBenchmark implements Runnable {

    private static final double FLOOR = 8;
    private static final int THREADS = 8;
    private static final ProcessorSettings DEFAULT = ProcessorSettings.DEFAULT;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--events",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events in the log (default: ${DEFAULT-VALUE}).")
    private int events = 20_000;

    @Option(
            names = "--single",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events per thread of the hand-written code (default: ${DEFAULT-VALUE}).")
    private int single = 2_000;

    @Option(
            names = "--keys",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Keys of these events (default: ${DEFAULT-VALUE}).")
    private int keys = 500;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Override
    public void run() {
        if (keys > Math.min(events, single)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--keys must be at most " + Math.min(events, single)
                            + ", the smaller of --events and --single, but is " + keys);
        }
        Machine.print();
        try (PostgresqlServer server = new PostgresqlServer()) {
            server.printSettings();
            Report.line(
                    "%,d events of %,d keys in the log; measured from the start of the service until all are committed",
                    events, keys);
            Report.line(
                    "processor: %d segments unless noted, batches of up to %d events, %d handler threads",
                    DEFAULT.segments(), DEFAULT.batch(), HoldfastServiceBuilder.DEFAULT_HANDLER_THREADS);
            Report.line(
                    "one transaction per event: %,d events per thread, already read; per event: deduplication, version, effect, position",
                    single);
            Report.line("");
            throughput(server);
            new RowsAndStatements(FilledStream.create(server, "counted", events, keys)).print();
        }
        Machine.printLoad();
    }

    private void throughput(PostgresqlServer server) {
        Map<Variant, List<Double>> rates = new EnumMap<>(Variant.class);
        for (int round = 0; round <= repeats; round++) {
            Report.line(round == 0 ? "warming up ..." : "round " + round + " of " + repeats + " ...");
            for (Variant variant : Variant.values()) {
                double rate = perSecond(server, variant, round);
                if (round > 0) { // round 0 is the warm-up
                    rates.computeIfAbsent(variant, any -> new ArrayList<>()).add(rate);
                }
            }
        }
        Report.line("");
        Report table = new Report("", "events/s", "lowest", "highest");
        rates.forEach((variant, measured) -> table.row(
                variant.label,
                Report.number(median(measured)),
                Report.number(measured.stream().mapToDouble(rate -> rate).min().orElse(0)),
                Report.number(measured.stream().mapToDouble(rate -> rate).max().orElse(0))));
        table.print();
        List<Double> ratios = ratios(rates, Variant.ONE_THREAD);
        Report.goal(
                "at least " + FLOOR + " x one transaction per event, 1 thread",
                median(ratios) >= FLOOR,
                Report.number(median(ratios)) + " x (per round: "
                        + String.join(" ", ratios.stream().map(Report::number).toList()) + ")");
        Report.line(
                "compared with %d threads, partitioned by key: %s x",
                THREADS, Report.number(median(ratios(rates, Variant.EIGHT_THREADS))));
        Report.line("");
    }

    private double perSecond(PostgresqlServer server, Variant variant, int round) {
        String database = variant.name().toLowerCase(Locale.ROOT) + round;
        int count =
                switch (variant) {
                    case ONE_THREAD -> single;
                    case EIGHT_THREADS -> THREADS * single;
                    default -> events;
                };
        FilledStream stream = FilledStream.create(server, database, count, keys);
        try (HikariDataSource pool = stream.connect()) {
            double seconds =
                    switch (variant) {
                        case APPENDING ->
                            ProcessedStream.appending(pool, DEFAULT, count).seconds();
                        case APPENDING_ONE_SEGMENT ->
                            ProcessedStream.appending(pool, DEFAULT.segments(1), count)
                                    .seconds();
                        case ONE_THREAD -> HandWrittenProcessor.handle(pool, 1);
                        case EIGHT_THREADS -> HandWrittenProcessor.handle(pool, THREADS);
                        case COUNTING ->
                            ProcessedStream.counting(pool, DEFAULT, count).seconds();
                        case COUNTING_ONE_SEGMENT ->
                            ProcessedStream.counting(pool, DEFAULT.segments(1), count)
                                    .seconds();
                    };
            return count / seconds;
        }
    }

    private static List<Double> ratios(Map<Variant, List<Double>> rates, Variant other) {
        List<Double> ours = rates.getOrDefault(Variant.APPENDING, List.of());
        List<Double> theirs = rates.getOrDefault(other, List.of());
        return IntStream.range(0, ours.size())
                .mapToObj(i -> ours.get(i) / theirs.get(i))
                .toList();
    }

    private static double median(List<Double> values) {
        return Report.median(values.stream().mapToDouble(value -> value).toArray());
    }

    private enum Variant {
        APPENDING("Holdfast, one event appended per event"),
        APPENDING_ONE_SEGMENT("  the same with 1 segment"),
        ONE_THREAD("one transaction per event, 1 thread"),
        EIGHT_THREADS("one transaction per event, " + THREADS + " threads, partitioned by key"),
        COUNTING("Holdfast, handler without effects, until called"),
        COUNTING_ONE_SEGMENT("  the same with 1 segment");

        private final String label;

        Variant(String label) {
            this.label = label;
        }
    }
}
