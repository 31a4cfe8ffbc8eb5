package io.holdfast.examples.shop.demo;

import static org.awaitility.Awaitility.await;

import io.holdfast.event.EventLog;
import io.holdfast.examples.shop.inventory.InventoryService;
import io.holdfast.examples.shop.order.CustomerOrders;
import io.holdfast.examples.shop.order.OrderService;
import io.holdfast.examples.shop.order.OrderStatus;
import io.holdfast.examples.shop.payment.PaymentService;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;

/** A shop whose services can be stopped and started again on what their stores have. */
final class RunningShop implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    final InMemoryWire wire = new InMemoryWire();
    final InMemoryStore orderStore = new InMemoryStore(OrderService.NAME, Clock.systemUTC());
    final InMemoryStore inventoryStore = new InMemoryStore(InventoryService.NAME, Clock.systemUTC());
    final InMemoryStore paymentStore = new InMemoryStore(PaymentService.NAME, Clock.systemUTC());
    private volatile OrderService orders = OrderService.start(orderStore, wire);
    private volatile InventoryService inventory = InventoryService.start(inventoryStore, wire);
    private volatile PaymentService payments = PaymentService.start(paymentStore, wire);

    OrderService orders() {
        return orders;
    }

    InventoryService inventory() {
        return inventory;
    }

    void restartOrders() {
        orders.close();
        orders = OrderService.start(orderStore, wire);
    }

    void restartInventory() {
        inventory.close();
        inventory = InventoryService.start(inventoryStore, wire);
    }

    void restartPayments() {
        payments.close();
        payments = PaymentService.start(paymentStore, wire);
    }

    void stock(ShoppingPlan plan) {
        plan.products()
                .forEach(product -> inventory.addProduct(
                        product.productId(), product.name(), product.price(), product.quantityOnHand()));
        await().atMost(PATIENCE)
                .until(() -> plan.products().stream().allMatch(product -> orders.knows(product.productId())));
    }

    /** Places all orders of a plan, with something going on meanwhile, and waits until everything has ended. */
    Books run(ShoppingPlan plan, int callers, Runnable meanwhile) throws InterruptedException {
        stock(plan);
        List<Future<?>> running = new Callers(this::orders, plan.orders()).start(callers);
        meanwhile.run();
        await().atMost(PATIENCE).until(() -> running.stream().allMatch(Future::isDone));
        Callers.throwFailures(running);
        return settledBooks(plan.orders().size());
    }

    Books settledBooks(int expectedOrders) {
        EventLog log = orderStore.eventLog();
        Settlement settlement = new Settlement(log, inventoryStore.eventLog());
        await().atMost(PATIENCE).until(() -> {
            settlement.update();
            return settlement.isComplete(expectedOrders);
        });
        await().atMost(PATIENCE).until(() -> endedInProjection() == expectedOrders);
        return writeBooks();
    }

    /** Returns when so many events are in the log of the order service. */
    void awaitOrderEvents(long position) {
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> orderStore.eventLog().position() >= position);
    }

    private long endedInProjection() {
        return orders.engine().views().page(CustomerOrders.VIEW, "", Integer.MAX_VALUE).values().stream()
                .flatMap(customer -> customer.orders().values().stream())
                .filter(order -> order.status() != OrderStatus.PENDING)
                .count();
    }

    private Books writeBooks() {
        return new Bookkeeper(
                        orderStore.eventLog(),
                        inventoryStore.eventLog(),
                        paymentStore.eventLog(),
                        orders.engine().views())
                .write();
    }

    @Override
    public void close() {
        orders.close();
        inventory.close();
        payments.close();
    }
}
