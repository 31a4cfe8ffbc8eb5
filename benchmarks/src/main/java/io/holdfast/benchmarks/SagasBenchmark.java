package io.holdfast.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.h2.engine.Constants;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what tracking costs: the same shop with and without sagas, once as the demo runs it and once only the engine.
 * Also measures lists, counts and the timeout detector over a million sagas.
 */
@Command(
        name = "sagas",
        sortOptions = false,
        description = {
            "Measure orders per second with and without tracking them as sagas, in the demo and in the engine alone;",
            "orchestrated orders beside choreographed ones;",
            "then lists, counts and the timeout detector with many sagas on PostgreSQL."
        })
final class SagasBenchmark implements Runnable {

    private static final int CALLERS_PER_FLOW = 4;

    @Option(names = "--database", description = "postgresql or h2, of the engine (default: ${DEFAULT-VALUE}).")
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

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description = {
                "Parts to run: ${COMPLETION-CANDIDATES} (default: all). demo is the example shop over HTTP, flows its",
                "orchestrated orders beside the choreographed ones, engine three services without HTTP, stored the",
                "lists, counts and timeouts."
            })
    private Set<Part> only = EnumSet.allOf(Part.class);

    @Override
    public void run() {
        Machine.print();
        if (only.contains(Part.DEMO)) {
            measureDemo();
        }
        if (only.contains(Part.FLOWS)) {
            measureFlows();
        }
        if (only.contains(Part.ENGINE)) {
            measureEngine();
        }
        if (only.contains(Part.STORED)) {
            new StoredSagas(ended, open).measure();
        }
        Machine.printLoad();
    }

    private void measureDemo() {
        Report.line(
                "demo: four services over HTTP in one process, H2 %s; %s; JVM %s",
                Constants.VERSION,
                settings(),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(argument -> argument.startsWith("-X"))
                        .collect(Collectors.joining(" ")));
        new TrackingCost(TrackingCost.TRACKING, warmUp, repeats).measure(new DemoRun(orders, callers)::runTracked);
    }

    /** A caller of the orchestrated flow waits until the order is confirmed, so more of them are needed. */
    private void measureFlows() {
        int waiting = callers * CALLERS_PER_FLOW;
        Report.line(
                "flows: the same shop and the same orders, choreographed and orchestrated; %d orders, %d callers",
                orders, waiting);
        new TrackingCost(TrackingCost.FLOWS, warmUp, repeats).measure(new DemoRun(orders, waiting)::runFlow);
    }

    private void measureEngine() {
        try (BenchDatabase database = kind.start()) {
            Report.line("engine: three services without HTTP in one process, %s; %s", database.name(), settings());
            AtomicInteger runs = new AtomicInteger();
            new TrackingCost(TrackingCost.TRACKING, warmUp, repeats).measure((tracked, counting) -> {
                database.settle();
                try (ShopRun run = new ShopRun(tracked, counting)) {
                    return run.run(database, "shop" + runs.incrementAndGet(), orders, callers);
                }
            });
        }
    }

    private String settings() {
        return "%d orders, %d callers, %d pairs to warm up".formatted(orders, callers, warmUp);
    }

    /** What to measure. */
    enum Part {
        DEMO,
        FLOWS,
        ENGINE,
        STORED
    }
}
