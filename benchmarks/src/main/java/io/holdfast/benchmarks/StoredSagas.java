package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.tracking.SagaRecorder;
import io.holdfast.saga.tracking.SagaTracking;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.OperationClient;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures lists, counts and the timeout detector over many stored sagas on PostgreSQL. */
final class StoredSagas {

    private static final String SERVICE = ShopOrders.ORDER;
    private static final String TYPE = "Purchase";
    private static final String REPLICA = "bench";
    private static final int CALLS = 50;
    private static final int WARM_UP = 20;
    private static final int PAGE = 50;
    private static final int UNITS = 200;
    private static final double MAX_MILLIS = 50;
    private static final List<String> TYPES = List.of(TYPE);

    private final int ended;
    private final int open;
    private final PayloadCodec codec = new PayloadCodec();
    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();

    StoredSagas(int ended, int open) {
        this.ended = ended;
        this.open = open;
    }

    void measure() {
        try (PostgresqlServer server = new PostgresqlServer();
                HikariDataSource pool = server.create("sagas", 4);
                JdbcStore store = JdbcStore.in(SERVICE, pool).open()) {
            Report.line("%s; %,d ended and %,d open sagas", server.name(), ended, open);
            GroupCommitter committer = committer(store);
            storeTemplate(committer);
            storeOpen(committer);
            copyTemplate(pool);
            server.settle();
            measure(new SagaStateStore(store.viewStore(), codec), committer, detector(store, committer));
        }
    }

    private void measure(SagaStateStore sagas, GroupCommitter committer, DueTask detector) {
        Report table = new Report("p95 of " + CALLS + " warm calls", "ms", "median");
        time(table, "list the newest " + PAGE, () -> sagas.list(TYPES, null, null, null, PAGE));
        time(table, "list " + PAGE + " that are open", () -> sagas.list(TYPES, SagaStatus.STARTED, null, null, PAGE));
        time(
                table,
                "list " + PAGE + " in the middle",
                () -> sagas.list(
                        TYPES,
                        SagaStatus.COMPLETED,
                        null,
                        sagas.find("saga-" + ended / 2).orElseThrow().cursor(),
                        PAGE));
        time(table, "find one by its id", () -> sagas.find("saga-" + ended / 3));
        time(table, "count the active ones", () -> sagas.countActive(TYPES, 1_000_000));
        time(table, "count those that need attention", () -> sagas.count(TYPES, null, true, 1_000_000));
        time(
                table,
                "cycle of the detector without due sagas",
                () -> detector.run(clock.instant().minus(Duration.ofDays(1))));
        time(table, "cycle of the detector that times out 100", () -> judge(detector, committer));
        table.print();
    }

    /** Finds, asks, judges and commits one batch. */
    private void judge(DueTask detector, GroupCommitter committer) {
        wire.announce(new Announcement(SERVICE, REPLICA, List.of(), List.of(ShopOrders.ORDERS), List.of(), List.of()));
        do {
            detector.run(clock.instant());
        } while (committer.commitWaiting() == 0);
    }

    private static void time(Report table, String what, Runnable call) {
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        double[] millis = new double[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long started = System.nanoTime();
            call.run();
            millis[i] = (System.nanoTime() - started) / 1e6;
        }
        Arrays.sort(millis);
        double p95 = millis[(int) Math.ceil(0.95 * CALLS) - 1];
        table.row(what + (p95 < MAX_MILLIS ? "" : " MISSED"), Report.number(p95), Report.number(Report.median(millis)));
    }

    private GroupCommitter committer(JdbcStore store) {
        GroupCommitter committer = new GroupCommitter(
                CommitterSettings.of(SERVICE),
                store.commitStore(),
                store.eventLog(),
                new AggregateStates(store.eventLog(), codec),
                store.viewStore(),
                codec,
                clock);
        Instant longAgo = clock.instant().minus(Duration.ofHours(1));
        committer.intercept(new SagaRecorder(SERVICE, types(), SagaSettings.DEFAULT, () -> longAgo));
        return committer;
    }

    /** A saga of one service: the detector's own work, without requests to others. */
    private static Choreographies types() {
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga(TYPE)
                .streams(ShopOrders.ORDERS)
                .register("OrderCreated", "OrderCancelled", SERVICE)
                .completedBy("OrderConfirmed", SERVICE)
                .cancelBy((saga, decision) ->
                        decision.append(ShopOrders.ORDER_TYPE, saga.key(), new ShopOrders.OrderCancelled("late")));
        return registry.choreographies();
    }

    private DueTask detector(JdbcStore store, GroupCommitter committer) {
        SagaTracking tracking = new SagaTracking(SERVICE, types(), SagaSettings.DEFAULT, List.of());
        tracking.listen(
                committer,
                new CompositeMeterRegistry(),
                new SagaStateStore(store.viewStore(), codec),
                due -> {},
                timeout -> {});
        return tracking.detector(
                REPLICA,
                wire,
                store.tokenStore(),
                store.viewStore(),
                store.deadLetterStore(),
                committer,
                codec,
                new OperationClient(wire, clock),
                Set.of(ShopOrders.ORDERS),
                Map.of(),
                () -> {});
    }

    /** Stores one ended saga through the engine. */
    private void storeTemplate(GroupCommitter committer) {
        append(committer, "template-ended", "ended", new ShopOrders.OrderCreated(1));
        append(committer, "template-ended", "ended", new ShopOrders.OrderConfirmed(1));
        commitAll(committer);
    }

    /** Stores the sagas that are overdue through the engine, so that their orders exist. */
    private void storeOpen(GroupCommitter committer) {
        for (int n = ended + 1; n <= ended + open; n++) {
            append(committer, "saga-" + n, "o-" + n, new ShopOrders.OrderCreated(1));
            if (n % UNITS == 0) {
                commitAll(committer);
            }
        }
        commitAll(committer);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a unit that fails leaves too few sagas to measure
    private void append(GroupCommitter committer, String saga, String order, Object event) {
        Part part = Part.of(
                new PartId(EventIds.random(clock.instant()), "bench"),
                Metadata.none().withSaga(TYPE, saga),
                decision -> decision.append(ShopOrders.ORDER_TYPE, order, event));
        committer.submit(CommitUnit.of(part));
    }

    private static void commitAll(GroupCommitter committer) {
        while (committer.commitWaiting() > 0) {
            // the next batch
        }
    }

    private void copyTemplate(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            copy(statement, "ended", 1, ended);
            statement.execute("delete from holdfast_row where row_key like 'template-%'");
            statement.execute("vacuum analyze");
        } catch (SQLException e) {
            throw Failures.of("copying the templates", e);
        }
    }

    private static void copy(Statement statement, String template, int first, int last) throws SQLException {
        statement.execute("insert into holdfast_row (view_name, row_key, version, value_type, revision, row_value, tag,"
                + " tagged_at, due_at) select view_name, 'saga-' || n, 1, value_type, revision,"
                + " replace(replace(row_value, '\"template-" + template + "\"', '\"saga-' || n || '\"'), '\"" + template
                + "\"', '\"o-' || n || '\"'), tag, tagged_at + n * interval '1 millisecond',"
                + " due_at + n * interval '1 millisecond' from holdfast_row, generate_series("
                + first + ", " + last + ") n where view_name = 'sagas' and row_key = 'template-" + template + "'");
    }
}
