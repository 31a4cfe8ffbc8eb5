package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * Measures two processors with slow handlers while the handlers of a third one hang, compared with the same service in
 * which none hangs. The variants alternate, and ratios are computed within one round, so that a busy machine slows both.
 */
@picocli.CommandLine.Command(
        name = "isolation",
        sortOptions = false,
        description = {
            "Measure two processors while all handlers of a third one hang, compared with none that hangs.",
            "In memory: the handlers take all the time. Takes about 1 minute."
        })
final class IsolationBenchmark implements Runnable {

    private static final double MIN_RATIO = 0.5;
    private static final int HUNG = HoldfastServiceBuilder.DEFAULT_HANDLER_THREADS;
    private static final String HANGING_STREAM = "hanging-accounts";
    private static final int EVENTS_PER_KEY = 10;
    private static final long BOUND_SECONDS = 120;

    @Option(
            names = "--keys",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Keys with 10 events each, per measurement (default: ${DEFAULT-VALUE}).")
    private int keys = 800;

    @Option(
            names = "--millis",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "How long a handler takes, in milliseconds (default: ${DEFAULT-VALUE}).")
    private int millis = 2;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Override
    public void run() {
        Machine.print();
        Report.line(
                "%,d events for each of two processors, whose handlers take %d ms; %d handler threads",
                keys * EVENTS_PER_KEY, millis, HUNG);
        Report.line("");
        List<Rates> without = new ArrayList<>();
        List<Rates> with = new ArrayList<>();
        for (int round = 0; round <= repeats; round++) {
            Rates noneHangs = measure(0);
            Rates allHang = measure(HUNG);
            if (round > 0) { // round 0 is the warm-up
                without.add(noneHangs);
                with.add(allHang);
            }
        }
        print(without, with);
        Machine.printLoad();
    }

    private void print(List<Rates> without, List<Rates> with) {
        Report table = new Report("", "events/s", "lowest", "highest");
        row(table, "first processor, no handler hangs", without.stream().map(Rates::first));
        row(
                table,
                "  the same, " + HUNG + " handlers of another processor hang",
                with.stream().map(Rates::first));
        row(table, "second processor, no handler hangs", without.stream().map(Rates::second));
        row(
                table,
                "  the same, " + HUNG + " handlers of another processor hang",
                with.stream().map(Rates::second));
        table.print();
        double[] ratios = new double[2 * repeats];
        for (int i = 0; i < repeats; i++) {
            ratios[2 * i] = with.get(i).first() / without.get(i).first();
            ratios[2 * i + 1] = with.get(i).second() / without.get(i).second();
        }
        double lowest = Arrays.stream(ratios).min().orElse(0);
        Report.goal(
                "every other processor keeps at least " + MIN_RATIO + " x of its throughput in every round",
                lowest >= MIN_RATIO,
                Report.number(lowest) + " x (median " + Report.number(Report.median(ratios)) + " x)");
    }

    private static void row(Report table, String what, Stream<Double> rates) {
        double[] values = rates.mapToDouble(rate -> rate).toArray();
        table.row(
                what,
                Report.number(Report.median(values)),
                Report.number(Arrays.stream(values).min().orElse(0)),
                Report.number(Arrays.stream(values).max().orElse(0)));
    }

    /** @param hung the number of handlers that hang before the first event is measured, until the end */
    private Rates measure(int hung) {
        CountDownLatch hanging = new CountDownLatch(hung);
        CountDownLatch end = new CountDownLatch(1);
        SlowHandler first = new SlowHandler();
        SlowHandler second = new SlowHandler();
        InMemoryStore store = new InMemoryStore(Purchases.SERVICE, Clock.systemUTC());
        try (HoldfastService service = HoldfastService.named(Purchases.SERVICE, store, new InMemoryWire())
                .owns(Purchases.STREAM, HANGING_STREAM)
                .processor("hung", processor -> processor.reads(HANGING_STREAM).calls(hang(hanging, end)))
                .processor(
                        "first", processor -> processor.reads(Purchases.STREAM).calls(first.component()))
                .processor(
                        "second", processor -> processor.reads(Purchases.STREAM).calls(second.component()))
                .start()) {
            append(service, HANGING_STREAM, 10 * hung); // so many that there are some in every segment
            await(hanging);
            append(service, Purchases.STREAM, keys);
            try {
                return new Rates(first.awaitRate(), second.awaitRate());
            } finally {
                end.countDown(); // otherwise, closing the service would wait for the handlers
            }
        }
    }

    private static Component hang(CountDownLatch hanging, CountDownLatch end) {
        return Component.named("hanging")
                .on(Purchases.Purchased.class, (event, context) -> {
                    hanging.countDown();
                    hangUntil(end);
                })
                .build();
    }

    /** Waits without a bound: a handler that fails after a while would return its thread. */
    private static void hangUntil(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw Failures.of("hanging", e);
        }
    }

    private static void append(HoldfastService service, String stream, int keys) {
        for (int number = 0; number < keys; number++) {
            String key = Purchases.key(number);
            service.commands()
                    .execute(
                            Command.once(Clock.systemUTC()), Purchases.accounts(stream), key, account -> Stream.iterate(
                                            1, amount -> amount + 1)
                                    .limit(EVENTS_PER_KEY)
                                    .<Object>map(amount -> Purchases.purchase(key, amount))
                                    .toList());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
                throw new PermanentException(latch.getCount() + " handler calls are missing");
            }
        } catch (InterruptedException e) {
            throw Failures.of("waiting for handlers", e);
        }
    }

    private record Rates(double first, double second) {}

    /** A handler that waits, as for a response. */
    private final class SlowHandler {

        private final CountDownLatch left = new CountDownLatch(keys * EVENTS_PER_KEY);
        private final long startNanos = System.nanoTime();
        private volatile long firstNanos;
        private volatile long lastNanos;

        Component component() {
            return Component.named("slow")
                    .on(Purchases.Purchased.class, (event, context) -> handle())
                    .build();
        }

        private void handle() {
            long now = System.nanoTime() - startNanos;
            firstNanos = firstNanos == 0 ? now : firstNanos;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            lastNanos = System.nanoTime() - startNanos;
            left.countDown();
        }

        /** Returns events per second, from the first call to the end of the last one. */
        double awaitRate() {
            await(left);
            return keys * EVENTS_PER_KEY / ((lastNanos - firstNanos) / 1e9);
        }
    }
}
