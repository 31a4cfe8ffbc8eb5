package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.deadletter.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Measures parking, replaying and the cost of healthy events with few and with many parked sequences, compared with
 * Axon's JDBC queue on the same server. The two alternate.
 */
@Command(
        name = "deadletters",
        sortOptions = false,
        description = {
            "Measure parking and replaying with 1,000, 10,000 and 100,000 parked sequences, compared with "
                    + "Axon's JDBC queue.",
            "Count statements per healthy event. PostgreSQL only. Takes about 6 minutes."
        })
final class DeadLettersBenchmark implements Runnable {

    private static final int WARM_UP = 1_000;
    private static final int LONG_SEQUENCE_LETTERS = 1_000;
    private static final int CONNECTIONS = 8;
    private static final double MAX_PICK_RATIO = 1.5;

    @Option(
            names = "--sequences",
            paramLabel = "N",
            split = ",",
            converter = QueueSize.class,
            description = "Numbers of parked sequences (default: 1000,10000,100000).")
    private List<Integer> sizes = QueueSize.ALL;

    @Option(
            names = "--events",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Additional events to park (default: ${DEFAULT-VALUE}).")
    private int events = 20_000;

    @Option(
            names = "--slice",
            paramLabel = "MILLIS",
            converter = PositiveNumber.class,
            description = "Maximum duration of one measurement (default: ${DEFAULT-VALUE}).")
    private int maxMillis = 2_000;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int repeats = 3;

    @Override
    public void run() {
        Machine.print();
        try (PostgresqlServer server = new PostgresqlServer()) {
            server.printSettings();
            printSetting();
            try (HikariDataSource pool = server.create("axon", CONNECTIONS)) {
                run(server, AxonQueue.create(pool), HoldfastQueue.create(server, "holdfast", events + warmUp()));
            }
        }
        Machine.printLoad();
    }

    private long maxNanos() {
        return TimeUnit.MILLISECONDS.toNanos(maxMillis);
    }

    private int warmUp() {
        return events / 5;
    }

    private void printSetting() {
        Report.line("sequences of one letter, payloads of about 300 bytes; inserted by SQL, vacuumed and analyzed");
        Report.line(
                "Axon: parks as many again, then replays all of them, each for at most %s s; events already read, no token"
                        + " stored, Jackson",
                Report.number(maxNanos() / 1e9));
        Report.line(
                "Holdfast: %,d events in the log, measured after the first %,d are parked; replays at most a fifth by"
                        + " processAny in a loop, then the rest by processAll, each for at most %s s",
                events + warmUp(), warmUp(), Report.number(maxNanos() / 1e9));
        Report.line("Neither logs parked events.");
        Report.line("");
    }

    private void run(PostgresqlServer server, AxonQueue axon, HoldfastQueue holdfast) {
        Report.line("warming up ...");
        measure(server, axon, holdfast, new DeadLetterFigures(WARM_UP));
        List<DeadLetterFigures> all = new ArrayList<>();
        for (int size : sizes) {
            DeadLetterFigures figures = new DeadLetterFigures(size);
            for (int round = 1; round <= repeats; round++) {
                Report.line("%,d parked, round %d of %d ...", size, round, repeats);
                measure(server, axon, holdfast, figures);
            }
            Report.line("");
            figures.print();
            measureHealthyEvents(size, axon, holdfast);
            all.add(figures);
        }
        printFlatness(all.get(0), all.get(all.size() - 1));
        measureLongSequence(server, axon, holdfast);
    }

    private void measure(PostgresqlServer server, AxonQueue axon, HoldfastQueue holdfast, DeadLetterFigures figures) {
        for (DeadLetterVariant variant : DeadLetterVariant.values()) {
            switch (variant) {
                case AXON_PARK -> axon.fill(figures.size(), 1);
                case AXON_PARK_MULTITHREADED, AXON_PARK_BATCHED, AXON_REPLAY -> axon.removeOthers();
                case PARK -> {
                    holdfast.fill(figures.size(), 1);
                    holdfast.deleteTokens();
                }
                case REPLAY_ONE_BY_ONE -> holdfast.removeOthers();
                case REPLAY_ALL -> {} // replays the letters that remain
            }
            server.settle();
            measure(variant, axon, holdfast, figures);
        }
    }

    private void measure(DeadLetterVariant variant, AxonQueue axon, HoldfastQueue holdfast, DeadLetterFigures figures) {
        int size = figures.size();
        switch (variant) {
            case AXON_PARK -> figures.add(variant, AxonParking.park(axon, size, 1, 1, maxNanos()));
            case AXON_PARK_MULTITHREADED ->
                figures.add(variant, AxonParking.park(axon, size, 1, DeadLetterVariant.THREADS, maxNanos()));
            case AXON_PARK_BATCHED ->
                figures.add(variant, AxonParking.park(axon, size, DeadLetterVariant.EVENTS_PER_UNIT, 1, maxNanos()));
            case PARK -> figures.add(variant, HoldfastParking.park(holdfast, warmUp()));
            case AXON_REPLAY -> figures.add(AxonReplay.replay(axon, maxNanos()));
            case REPLAY_ONE_BY_ONE -> figures.add(HoldfastReplay.replay(holdfast, size, maxNanos()));
            case REPLAY_ALL -> {} // measured together with REPLAY_ONE_BY_ONE
        }
    }

    private void measureHealthyEvents(int size, AxonQueue queue, HoldfastQueue holdfast) {
        queue.fill(size, 1);
        AxonHealthyEvents axon = new AxonHealthyEvents(queue);
        Report.line("queue statements per healthy event");
        Report.line("  Axon, cache off (default)       %s", describePasses(axon.statements(false, 500, 2)));
        Report.line("  Axon, cache on, 500 keys       %s", describePasses(axon.statements(true, 500, 2)));
        Report.line("  Axon, cache on, 2,000 keys     %s", describePasses(axon.statements(true, 2_000, 2)));
        holdfast.fill(size, 1);
        measureHealthyEvents(QueueSettings.DEFAULT_CACHE_SIZE, holdfast);
        HoldfastHealthyEvents cached = measureHealthyEvents(size, holdfast);
        Report.goal(
                String.format(
                        Locale.ROOT,
                        "healthy events need no queue statement while %,d parked sequences are cached",
                        size),
                cached.statements() == 0,
                cached.statements() + " statements");
        Report.line("");
    }

    private static HoldfastHealthyEvents measureHealthyEvents(int cacheSize, HoldfastQueue holdfast) {
        HoldfastHealthyEvents healthy = HoldfastHealthyEvents.handle(holdfast, cacheSize);
        Report.line(
                "  Holdfast, cache of %,7d      %s (%s per batch); %s statements per event in total",
                cacheSize,
                Report.number(healthy.perEvent()),
                Report.number(healthy.perBatch()),
                Report.number((double) healthy.all() / healthy.events()));
        return healthy;
    }

    private static String describePasses(List<Double> perEvent) {
        return Report.number(perEvent.get(0)) + " for a new key, " + Report.number(perEvent.get(1))
                + " for a known key";
    }

    private static void printFlatness(DeadLetterFigures few, DeadLetterFigures many) {
        double ratio = many.medianPick() / few.medianPick();
        Report.goal(
                String.format(
                        Locale.ROOT,
                        "one processAny with %,d parked sequences takes at most %s x as long as with %,d",
                        many.size(),
                        Report.number(MAX_PICK_RATIO),
                        few.size()),
                ratio <= MAX_PICK_RATIO,
                Report.number(ratio) + " x");
        Report.line("");
    }

    /** For Axon, one sequence is one call and one transaction: its best case. */
    private void measureLongSequence(PostgresqlServer server, AxonQueue axon, HoldfastQueue holdfast) {
        List<Work> theirs = new ArrayList<>();
        List<Work> ours = new ArrayList<>();
        for (int round = 0; round <= repeats; round++) {
            axon.fill(1, LONG_SEQUENCE_LETTERS);
            server.settle();
            Work axons = AxonReplay.replay(axon, maxNanos()).work();
            holdfast.fill(1, LONG_SEQUENCE_LETTERS);
            server.settle();
            Work holdfasts = HoldfastReplay.replay(holdfast, 1, maxNanos()).oneByOne();
            if (round > 0) { // round 0 is the warm-up
                theirs.add(axons);
                ours.add(holdfasts);
            }
        }
        Report table = new Report("nothing else parked", "per second", "lowest", "highest", "done");
        String of = String.format(Locale.ROOT, "one sequence of %,d letters", LONG_SEQUENCE_LETTERS);
        DeadLetterFigures.row(table, "replay, Axon, " + of + ", one transaction", theirs);
        DeadLetterFigures.row(table, "replay, Holdfast, " + of + ", in chunks", ours);
        table.print();
    }

    private static final class QueueSize implements ITypeConverter<Integer> {

        private static final List<Integer> ALL = List.of(1_000, 10_000, 100_000);

        @Override
        public Integer convert(String value) {
            return ALL.stream()
                    .filter(size -> value.equals(size.toString()))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("must be one of " + ALL + ", but is " + value));
        }
    }
}
