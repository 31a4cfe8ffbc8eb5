package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** One run of the shop: three services in this process, each with its own database, until every order is confirmed. */
final class ShopRun implements AutoCloseable {

    private static final int CONNECTIONS = 8;
    private static final long BOUND_SECONDS = 300;

    private final boolean tracked;
    private final boolean counting;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final CountedCalls counted = new CountedCalls();

    /**
     * @param tracked whether the order service tracks the orders as sagas
     * @param counting whether to count statements, which takes time for each call of the driver
     */
    ShopRun(boolean tracked, boolean counting) {
        this.tracked = tracked;
        this.counting = counting;
    }

    /** @param orders the number of orders, which concurrent callers create */
    TrackingFigures run(BenchDatabase database, String name, int orders, int callers) {
        CountDownLatch confirmed = new CountDownLatch(orders);
        InMemoryWire wire = new InMemoryWire();
        HikariDataSource pool = pool(database, name + "_order");
        DataSource orderPool = counting ? counted.wrap(pool) : pool;
        try (JdbcStore orderStore = JdbcStore.in(ShopOrders.ORDER, orderPool).open();
                JdbcStore inventoryStore = JdbcStore.in(ShopOrders.INVENTORY, pool(database, name + "_inventory"))
                        .open();
                JdbcStore paymentStore = JdbcStore.in(ShopOrders.PAYMENT, pool(database, name + "_payment"))
                        .open();
                HoldfastService inventory = service(ShopOrders.INVENTORY, inventoryStore, wire)
                        .owns(ShopOrders.RESERVATIONS)
                        .processor("work", work -> work.reads(ShopOrders.ORDERS).calls(ShopOrders.reserving()))
                        .start();
                HoldfastService payment = service(ShopOrders.PAYMENT, paymentStore, wire)
                        .owns(ShopOrders.PAYMENTS)
                        .processor("work", work -> work.reads(ShopOrders.RESERVATIONS)
                                .calls(ShopOrders.charging()))
                        .start();
                HoldfastService order = service(ShopOrders.ORDER, orderStore, wire)
                        .owns(ShopOrders.ORDERS)
                        .processor(
                                "work", work -> work.reads(ShopOrders.PAYMENTS).calls(ShopOrders.confirming()))
                        .processor("end", end -> end.reads(ShopOrders.ORDERS).calls(counting(confirmed)))
                        .start()) {
            List<HoldfastService> services = List.of(inventory, payment, order);
            return TrackingFigures.measure(orders, counted, () -> {
                OrderCallers.placeAll(callers, orders, number -> create(order, "o-" + number));
                await(confirmed, services);
            });
        }
    }

    private HikariDataSource pool(BenchDatabase database, String name) {
        HikariDataSource pool = database.create(name, CONNECTIONS);
        pools.add(pool);
        return pool;
    }

    private HoldfastServiceBuilder service(String name, JdbcStore store, InMemoryWire wire) {
        HoldfastServiceBuilder builder = HoldfastService.named(name, store, wire);
        return tracked ? builder.sagas(ShopOrders::declare) : builder;
    }

    private static Component counting(CountDownLatch confirmed) {
        return Component.named("counting")
                .on(ShopOrders.OrderConfirmed.class, (event, context) -> confirmed.countDown())
                .build();
    }

    private void create(HoldfastService order, String id) {
        Command command = Command.once(Clock.systemUTC());
        Command sent = tracked ? command.inSaga(ShopOrders.SAGA_TYPE, "saga-" + id) : command;
        order.commands().execute(sent, ShopOrders.ORDER_TYPE, id, count -> List.of(new ShopOrders.OrderCreated(1)));
    }

    private static void await(CountDownLatch confirmed, List<HoldfastService> services) {
        try {
            if (!confirmed.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
                throw new PermanentException(confirmed.getCount() + " orders are not confirmed: "
                        + services.stream().map(HoldfastService::problems).toList());
            }
        } catch (InterruptedException e) {
            throw Failures.of("waiting for orders", e);
        }
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
    }
}
