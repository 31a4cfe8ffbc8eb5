package io.holdfast.examples.shop.order;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.wire.Wire;
import java.util.List;
import java.util.Optional;

/** Takes orders. For any number of threads. */
public final class OrderService implements AutoCloseable {

    public static final String NAME = "order";
    public static final String SAGA_TYPE = "OrderFulfillment";

    private final HoldfastService engine;

    private OrderService(HoldfastService engine) {
        this.engine = engine;
    }

    /** Goes on from what the store has. */
    public static OrderService start(Store store, Wire wire) {
        return new OrderService(HoldfastService.named(NAME, store, wire)
                .owns(Order.STREAM)
                .processor("catalogue", processor -> processor.reads("products").calls(Catalogue.component()))
                .processor(
                        "fulfilment",
                        processor -> processor.reads("reservations", "payments").calls(OrderOutcome.component()))
                .processor(
                        "customer-orders",
                        processor -> processor.reads(Order.STREAM).calls(CustomerOrders.component()))
                .start());
    }

    /**
     * Takes an order and answers when it is durable; whether it can be delivered and paid shows later.
     *
     * @param idempotencyKey names the request: sent again with the same key, it is the same order
     * @throws OrderRefusedException if a product is unknown; nothing was stored
     */
    public PlacedOrder place(String idempotencyKey, PlaceOrder request) {
        List<OrderLine> lines = request.lineItems().stream().map(this::priced).toList();
        Command command = Command.keyed("POST /api/orders", idempotencyKey);
        String orderId = command.id().toString();
        CommandResult result = engine.commands()
                .execute(
                        command.with(Metadata.none().withSaga(SAGA_TYPE, "saga-" + orderId)),
                        Order.TYPE,
                        orderId,
                        order -> order.create(orderId, request.customerId(), lines));
        return answer(result.events().get(0), result.duplicate());
    }

    public Optional<Order> find(String orderId) {
        Order order = engine.commands().state(Order.TYPE, orderId);
        return order.status() == OrderStatus.NONE ? Optional.empty() : Optional.of(order);
    }

    /** The orders of a customer, as far as the projection has come. */
    public CustomerOrders ordersOf(String customerId) {
        return engine.views().find(CustomerOrders.VIEW, customerId).orElse(CustomerOrders.NONE);
    }

    /** Whether the product can be ordered already: news of it travels like any event. */
    public boolean knows(String productId) {
        return engine.views().find(Catalogue.VIEW, productId).isPresent();
    }

    public HoldfastService engine() {
        return engine;
    }

    @Override
    public void close() {
        engine.close();
    }

    private OrderLine priced(PlaceOrder.Item item) {
        Catalogue.Entry product = engine.views()
                .find(Catalogue.VIEW, item.productId())
                .orElseThrow(() -> new OrderRefusedException("there is no product " + item.productId()));
        return new OrderLine(item.productId(), item.quantity(), product.price());
    }

    private PlacedOrder answer(EventMessage created, boolean duplicate) {
        Order order = engine.commands().state(Order.TYPE, created.key());
        String sagaId = created.metadata().sagaId().orElseThrow();
        return new PlacedOrder(created.key(), sagaId, order.total(), order.status(), duplicate);
    }
}
