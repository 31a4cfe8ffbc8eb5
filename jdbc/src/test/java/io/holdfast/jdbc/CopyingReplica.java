package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.jdbc.Copies.Copied;
import io.holdfast.jdbc.Copies.Placed;
import io.holdfast.jdbc.Copies.Written;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One replica of a service that copies every order: it writes one event and one row, which names the replica. With
 * {@link CopyingOptions#failing}, the first attempt fails for some orders.
 */
final class CopyingReplica implements AutoCloseable {

    static final String SERVICE = "copying";
    static final String PROCESSOR = "copying";
    static final int SEGMENTS = 16;

    /** Below the lease, as {@link Timeouts} requires. */
    private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofMillis(500), Duration.ofSeconds(1));

    private final CopyingOptions options;
    private final Runnable beforeHandling;
    private final HikariDataSource dataSource;
    private final JdbcStore store;
    private final HoldfastService service;

    private CopyingReplica(String url, CopyingOptions options, CommitPoint.Observer points, Runnable beforeHandling) {
        this.options = options;
        this.beforeHandling = beforeHandling;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(url.startsWith("jdbc:h2:") ? "sa" : "postgres");
        config.setMaximumPoolSize(14);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        this.dataSource = new HikariDataSource(config);
        this.store = JdbcStore.in(SERVICE, dataSource)
                .timeouts(TIMEOUTS)
                .points(points)
                .open();
        this.service = start();
    }

    static CopyingReplica open(String url, CopyingOptions options) {
        return open(url, options, CommitPoint.Observer.NONE, () -> {});
    }

    /** @param beforeHandling runs at the start of every handler */
    static CopyingReplica open(
            String url, CopyingOptions options, CommitPoint.Observer points, Runnable beforeHandling) {
        return new CopyingReplica(url, options, points, beforeHandling);
    }

    /** Opens a replica without a processor, which places orders and audits the copies. Creates the table. */
    static CopyingReplica withoutProcessor(String url) {
        CopyingReplica replica = open(url, CopyingOptions.NO_PROCESSOR);
        try (Connection connection = replica.dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists " + Copies.TABLE
                    + " (customer varchar(50), order_number integer, written_by varchar(50))");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return replica;
    }

    private HoldfastService start() {
        HoldfastServiceBuilder builder = HoldfastService.named(SERVICE, store, new InMemoryWire())
                .owns(Copies.ORDERS.stream(), Copies.COPIES.stream())
                .replica(options.replica())
                .resilience(ResilienceSettings.DEFAULT.retry(
                        RetryOverrides.NONE.waitDuration(Duration.ofMillis(20)).maxAttempts(10)));
        if (options.processes()) {
            builder.processor(PROCESSOR, processor -> processor
                    .reads(Copies.ORDERS.stream())
                    .calls(component())
                    .settings(ProcessorSettings.DEFAULT
                            .segments(SEGMENTS)
                            .batch(5)
                            .lease(options.lease())));
        }
        return builder.start();
    }

    private Component component() {
        Component.Builder builder = Component.named("copier").on(Placed.class, this::copy);
        return (options.ownRows() ? builder.rowsIn(dataSource) : builder).build();
    }

    private void copy(Placed order, EventContext context) {
        beforeHandling.run();
        String customer = context.event().key();
        if (options.ownRows()) {
            insert(context.resource(Connection.class), customer, order.number());
        } else {
            context.update(
                    Copies.VIEW,
                    Copies.rowKey(customer, order.number()),
                    row -> new Written(row == null ? 1 : row.times() + 1, options.replica()));
        }
        context.decide(Copies.COPIES, customer, newest -> List.of(new Copied(order.number())));
        if (options.failing() && order.number() % 7 == 3 && context.deadLetter().isEmpty()) {
            throw new IllegalStateException("order " + order.number() + " fails on its first attempt");
        }
    }

    private void insert(Connection connection, String customer, int number) {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into " + Copies.TABLE + " values (?, ?, ?)")) {
            insert.setString(1, customer);
            insert.setInt(2, number);
            insert.setString(3, options.replica());
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Places that many further orders of each of the customers 0 to n - 1, in one commit. */
    void place(int customers, int orders) {
        execute(context ->
                IntStream.range(0, customers).forEach(customer -> append(context, "customer-" + customer, orders)));
    }

    void place(String customer, int orders) {
        execute(context -> append(context, customer, orders));
    }

    private void execute(Decision decision) {
        service.commands().execute(Command.once(Clock.systemUTC()), decision);
    }

    private static void append(DecisionContext context, String customer, int orders) {
        int newest = context.state(Copies.ORDERS, customer).number();
        IntStream.rangeClosed(newest + 1, newest + orders)
                .forEach(number -> context.append(Copies.ORDERS, customer, new Placed(number)));
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    JdbcStore store() {
        return store;
    }

    HoldfastService service() {
        return service;
    }

    /** Returns how many segments this replica has claimed. */
    int claimed() {
        return (int) service.processor(PROCESSOR).status().segments().stream()
                .filter(SegmentStatus::claimed)
                .count();
    }

    @Override
    public void close() {
        service.close();
        store.close();
        dataSource.close();
    }
}
