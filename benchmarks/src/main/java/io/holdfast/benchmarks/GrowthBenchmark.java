package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures whether a large log is as fast as a small one. Both are on the same server and are measured alternately. */
@Command(
        name = "growth",
        sortOptions = false,
        description = "Measure append, load by key and catch-up on a large log, compared with a small one. Takes "
                + "about 8 minutes.")
final class GrowthBenchmark implements Runnable {

    private static final double MAX_RATIO = 1.5;
    private static final long LONG_KEY_EVENTS = 100_250;

    @Option(
            names = "--events",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events in the large log on PostgreSQL (default: ${DEFAULT-VALUE}).")
    private int events = 10_000_000;

    @Option(
            names = "--h2-events",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events in the large log on H2 (default: ${DEFAULT-VALUE}).")
    private int h2Events = 1_000_000;

    @Option(
            names = "--small",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events in the small log (default: ${DEFAULT-VALUE}).")
    private int small = 10_000;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Option(
            names = "--databases",
            paramLabel = "NAME",
            split = ",",
            description = "Databases: ${COMPLETION-CANDIDATES} (default: all).")
    private List<BenchDatabase.Kind> databases = List.of(BenchDatabase.Kind.values());

    @Override
    public void run() {
        Machine.print();
        for (BenchDatabase.Kind kind : databases) {
            try (BenchDatabase database = kind.start()) {
                Report.line("");
                database.printSettings();
                measure(database, small, kind == BenchDatabase.Kind.H2 ? h2Events : events);
            }
        }
        Machine.printLoad();
    }

    private void measure(BenchDatabase database, long few, long many) {
        try (GrownLog small = createFilledLog(database, "small", few, 0);
                GrownLog large = createFilledLog(database, "large", many, LONG_KEY_EVENTS)) {
            database.settle();
            measureRound(small);
            measureRound(large);
            List<Round> smalls = new ArrayList<>();
            List<Round> larges = new ArrayList<>();
            for (int i = 0; i < repeats; i++) {
                smalls.add(measureRound(small));
                larges.add(measureRound(large));
            }
            Report table = new Report("median ms", few + " events", many + " events", "ratio");
            double appends = compare(table, "append, 8 callers", smalls, larges, Round::append);
            double loads = compare(table, "load a key with 10 events", smalls, larges, Round::load);
            double pages = compare(table, "read a page of 500 events", smalls, larges, Round::page);
            table.print();
            String goal = " at " + many + " events within " + MAX_RATIO + " x of " + few + " on " + database.name();
            Report.goal("append" + goal, appends <= MAX_RATIO, Report.number(appends) + " x");
            Report.goal("load" + goal, loads <= MAX_RATIO, Report.number(loads) + " x");
            Report.goal("catch-up" + goal, pages <= MAX_RATIO, Report.number(pages) + " x");
            printLongKey(large.store());
        }
    }

    private static GrownLog createFilledLog(BenchDatabase database, String name, long events, long ofOneKey) {
        HikariDataSource pool = database.create(name, 16);
        JdbcStore.in(Purchases.SERVICE, pool).open().close(); // creates the tables
        long before = System.nanoTime();
        new FilledLog(pool, database instanceof PostgresqlServer).fill(events, ofOneKey);
        Report.line("filled %,d events in %.0f s", events + ofOneKey, (System.nanoTime() - before) / 1e9);
        return new GrownLog(pool, events);
    }

    private static Round measureRound(GrownLog log) {
        return new Round(log.append(), log.load(), log.page());
    }

    /** Adds a row with the medians. Ratios are computed within one round. */
    private static double compare(
            Report table, String what, List<Round> smalls, List<Round> larges, ToDoubleFunction<Round> figure) {
        double ratio = Report.median(IntStream.range(0, smalls.size())
                .mapToDouble(i -> figure.applyAsDouble(larges.get(i)) / figure.applyAsDouble(smalls.get(i)))
                .toArray());
        table.row(
                what,
                Report.number(Report.median(smalls.stream().mapToDouble(figure).toArray())),
                Report.number(Report.median(larges.stream().mapToDouble(figure).toArray())),
                Report.number(ratio));
        return ratio;
    }

    private static void printLongKey(JdbcStore store) {
        AggregateType<Purchases.Account> type = Purchases.accounts(FilledLog.LONG_STREAM);
        double[] times = new double[20];
        for (int i = 0; i < times.length; i++) {
            times[i] = loadLongKey(store, type);
        }
        double folded = foldLongKey(store.eventLog());
        Report.line(
                "key with %,d events and a snapshot: first load %.1f ms, median of 20 loads %.1f ms; reading all its events %.0f ms",
                LONG_KEY_EVENTS, times[0], Report.median(times), folded);
        Report.line("");
    }

    private static double loadLongKey(JdbcStore store, AggregateType<Purchases.Account> type) {
        long before = System.nanoTime();
        AggregateState<Purchases.Account> state =
                new AggregateStates(store.eventLog(), new PayloadCodec(), 0).newest(type, FilledLog.LONG_KEY);
        double milliseconds = (System.nanoTime() - before) / 1e6;
        if (state.version() != LONG_KEY_EVENTS || state.state().purchases() != LONG_KEY_EVENTS) {
            throw new PermanentException(
                    "key " + FilledLog.LONG_KEY + " was loaded with an unexpected state: " + state);
        }
        return milliseconds;
    }

    private static double foldLongKey(EventLog log) {
        long before = System.nanoTime();
        List<EventMessage> page;
        long read = 0;
        do {
            page = log.readKey(FilledLog.LONG_STREAM, FilledLog.LONG_KEY, read, 500);
            read += page.size();
        } while (page.size() == 500);
        return (System.nanoTime() - before) / 1e6;
    }

    /** The medians of one round in milliseconds. */
    private record Round(double append, double load, double page) {}
}
