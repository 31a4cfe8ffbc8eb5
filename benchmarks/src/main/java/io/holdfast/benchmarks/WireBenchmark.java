package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.event.EventMessage;
import io.holdfast.hazelcast.HazelcastWire;
import io.holdfast.hazelcast.HazelcastWireBuilder;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.StartAt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures throughput and latency from log to handler, with one PostgreSQL database per service, a Hazelcast member and
 * a client. The variants alternate, and ratios are computed within one round, so that a busy machine slows all of them.
 */
@Command(
        name = "wire",
        sortOptions = false,
        description = {
            "Measure throughput from log to handler over a Hazelcast member, compared with reading the "
                    + "same rows and adding them to a ringbuffer, with and without a topic.",
            "Measure latency from commit to handler on an idle machine. Takes about 2 minutes."
        })
final class WireBenchmark implements Runnable {

    private static final double MIN_RATIO = 0.6;
    private static final int PAGE_SIZE = 500;
    private static final double OWN_LIMIT_MS = 1;
    private static final double OTHER_LIMIT_MS = 5;

    @Option(
            names = "--events",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events per throughput measurement (default: ${DEFAULT-VALUE}).")
    private int events = 20_000;

    @Option(
            names = "--samples",
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Events per latency measurement (default: ${DEFAULT-VALUE}).")
    private int samples = 500;

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
            Report.line("Hazelcast member in this process, client over loopback");
            Report.line("");
            throughput(server);
            try (Cluster cluster = new Cluster(HazelcastWireBuilder.DEFAULT_RING_CAPACITY, false)) {
                latency(server, cluster);
            }
        }
        Machine.printLoad();
    }

    /** Each measurement has its own cluster, so that none reads records of another. */
    private void throughput(PostgresqlServer server) {
        List<Double> raw = new ArrayList<>();
        List<Double> carried = new ArrayList<>();
        List<Double> overrun = new ArrayList<>();
        List<Double> topic = new ArrayList<>();
        for (int round = 0; round <= repeats; round++) {
            double rawRate = perSecond(measureRaw(createFilledLog(server, "raw" + round)));
            double carriedRate = perSecond(measureDelivery(server, "carried" + round, 2 * events));
            double topicRate = perSecond(measureTopic(createFilledLog(server, "topic" + round)));
            double overrunRate = perSecond(measureDelivery(server, "overrun" + round, events / 4));
            if (round > 0) { // round 0 is the warm-up
                raw.add(rawRate);
                carried.add(carriedRate);
                overrun.add(overrunRate);
                topic.add(topicRate);
            }
        }
        Report table = new Report("", "events/s", "lowest", "highest");
        row(table, "Holdfast, log to handler", carried);
        row(table, "  the same, a quarter of the events fits into the ringbuffer", overrun);
        row(table, "read the same rows, addAll to a ringbuffer", raw);
        row(table, "read the same rows, addAll, mirror each to a topic", topic);
        table.print();
        double share = ratio(carried, raw);
        Report.goal(
                "throughput at least " + MIN_RATIO + " x of read and addAll",
                share >= MIN_RATIO,
                Report.number(share) + " x");
        Report.line("compared with the topic: %s x", Report.number(ratio(carried, topic)));
        Report.line("");
    }

    private HikariDataSource createFilledLog(PostgresqlServer server, String database) {
        HikariDataSource pool = server.create(database, 8);
        JdbcStore.in(Purchases.SERVICE, pool).open().close(); // creates the tables
        new FilledLog(pool, true).fill(events, 0);
        server.settle();
        return pool;
    }

    private double measureRaw(HikariDataSource pool) {
        try (Cluster cluster = new Cluster(2 * events, false)) {
            return readAndAdd(pool, cluster.member());
        }
    }

    /** Reads pages and adds them to a ringbuffer without readers. Returns seconds. */
    private double readAndAdd(HikariDataSource pool, HazelcastWire wire) {
        try (JdbcStore store = JdbcStore.in(Purchases.SERVICE, pool).open()) {
            long before = System.nanoTime();
            long position = 0;
            for (List<EventMessage> page = store.eventLog().readAll(position, PAGE_SIZE);
                    !page.isEmpty();
                    page = store.eventLog().readAll(position, PAGE_SIZE)) {
                wire.publish(page);
                position = page.get(page.size() - 1).position();
            }
            return (System.nanoTime() - before) / 1e9;
        }
    }

    /** One service publishes the events of its log, another handles them. Returns seconds since the first publish. */
    private double measureDelivery(PostgresqlServer server, String database, int ringCapacity) {
        HikariDataSource sourcePool = createFilledLog(server, database);
        HikariDataSource sinkPool = server.create(database + "_sink", 8);
        try (JdbcStore source = JdbcStore.in(Purchases.SERVICE, sourcePool).open();
                JdbcStore sink = JdbcStore.in("sink", sinkPool).open();
                Cluster cluster = new Cluster(ringCapacity, false)) {
            CountDownLatch all = new CountDownLatch(events);
            TimingHandler handling = new TimingHandler(event -> all.countDown());
            FirstPublishTimer first = new FirstPublishTimer(cluster.member());
            try (HoldfastService publishing = HoldfastService.named(Purchases.SERVICE, source, first.wire())
                            .owns(Purchases.STREAM)
                            .start();
                    HoldfastService reading = HoldfastService.named("sink", sink, cluster.client())
                            .processor("reader", handling.processor(Purchases.STREAM, StartAt.BEGINNING))
                            .start()) {
                handling.await(all, publishing, reading);
            }
            return handling.lastHandledAfter(first.publishedAt());
        }
    }

    private double measureTopic(HikariDataSource pool) {
        CountDownLatch all = new CountDownLatch(events);
        try (Cluster cluster = new Cluster(2 * events, true)) {
            cluster.client().instance().getTopic("Purchased").addMessageListener(message -> all.countDown());
            long before = System.nanoTime();
            readAndAdd(pool, cluster.member());
            TimingHandler.await(all);
            return (System.nanoTime() - before) / 1e9;
        }
    }

    /** Measures one event at a time on an idle machine, from the caller's response to the handler. */
    private void latency(PostgresqlServer server, Cluster cluster) {
        TimingHandler own = new TimingHandler(event -> {});
        TimingHandler other = new TimingHandler(event -> {});
        try (JdbcStore source = JdbcStore.in("timed", server.create("timed", 8)).open();
                JdbcStore sink =
                        JdbcStore.in("timing", server.create("timing", 8)).open();
                HoldfastService publishing = HoldfastService.named("timed", source, cluster.member())
                        .owns("timed")
                        .processor("own", own.processor("timed", StartAt.BEGINNING))
                        .start();
                HoldfastService reading = HoldfastService.named("timing", sink, cluster.client())
                        .processor("other", other.processor("timed", StartAt.BEGINNING))
                        .start()) {
            TimedAppends appends = new TimedAppends(publishing, own, other);
            appends.run(samples);
            TimedAppends.Times times = appends.run(samples);
            Report table = new Report("latency from response to handler, ms", "median", "p99");
            print(table, "in the publishing service", times.own());
            print(table, "in another service", times.other());
            table.print();
            goal("in the publishing service", OWN_LIMIT_MS, times.own());
            goal("in another service", OTHER_LIMIT_MS, times.other());
            Report.line(
                    "the append itself took %s ms (median); the other service has read %s",
                    Report.number(percentile(times.append(), 0.5)),
                    reading.processor("other").status().positions().keySet());
        }
    }

    private static void goal(String where, double limit, List<Double> times) {
        Report.goal(
                "median " + where + " below " + limit + " ms",
                percentile(times, 0.5) < limit,
                Report.number(percentile(times, 0.5)));
    }

    private static void print(Report table, String what, List<Double> times) {
        table.row(what, Report.number(percentile(times, 0.5)), Report.number(percentile(times, 0.99)));
    }

    private static double percentile(List<Double> times, double share) {
        List<Double> sorted = times.stream().sorted().toList();
        return sorted.get((int) (share * (sorted.size() - 1)));
    }

    private static void row(Report table, String what, List<Double> rates) {
        double[] values = rates.stream().mapToDouble(rate -> rate).toArray();
        table.row(
                what,
                Report.number(Report.median(values)),
                Report.number(Arrays.stream(values).min().orElse(0)),
                Report.number(Arrays.stream(values).max().orElse(0)));
    }

    private static double ratio(List<Double> one, List<Double> other) {
        double[] ratios = new double[one.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = one.get(i) / other.get(i);
        }
        return Report.median(ratios);
    }

    private double perSecond(double seconds) {
        return events / seconds;
    }

    /** A member and a client that is connected to it. */
    private record Cluster(HazelcastWire member, HazelcastWire client) implements AutoCloseable {

        Cluster(int ringCapacity, boolean topics) {
            this(
                    HazelcastWire.embedded("bench-" + UUID.randomUUID())
                            .ringCapacity(ringCapacity)
                            .mirrorToTopics(topics)
                            .open(),
                    ringCapacity);
        }

        private Cluster(HazelcastWire member, int ringCapacity) {
            this(
                    member,
                    HazelcastWire.client(member.instance().getConfig().getClusterName(), address(member))
                            .ringCapacity(ringCapacity)
                            .open());
        }

        /**
         * Waits until the client is connected, because it connects in the background and this is not part of the
         * measurement.
         */
        Cluster {
            while (!client.isUp()) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        private static String address(HazelcastWire member) {
            return "127.0.0.1:"
                    + member.instance()
                            .getCluster()
                            .getLocalMember()
                            .getAddress()
                            .getPort();
        }

        @Override
        public void close() {
            client.close();
            member.close();
        }
    }
}
