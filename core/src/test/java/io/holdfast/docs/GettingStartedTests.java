package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.fixture.Scenario;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.view.View;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Quoted by docs/guides/without-spring.md and docs/guides/testing.md; DocumentationTests compares them. */
class GettingStartedTests {

    record OrderPlaced(String product, int quantity) {}

    record StockAdded(int quantity) {}

    record StockReserved(String orderId, int quantity) {}

    record Order(boolean placed) {
        List<Object> place(String product, int quantity) {
            return placed ? List.of() : List.of(new OrderPlaced(product, quantity));
        }
    }

    record Stock(int available) {
        List<Object> reserve(String orderId, int quantity) {
            if (quantity > available) {
                throw new SoldOut(quantity, available);
            }
            return List.of(new StockReserved(orderId, quantity));
        }
    }

    static final class SoldOut extends RuntimeException implements NonRetryableException {
        SoldOut(int requested, int available) {
            super("requested " + requested + ", available " + available);
        }
    }

    static final AggregateType<Order> ORDER = AggregateType.of("orders", Order.class, new Order(false))
            .on(OrderPlaced.class, (order, event) -> new Order(true))
            .build();

    static final AggregateType<Stock> STOCK = AggregateType.of("stock", Stock.class, new Stock(0))
            .on(StockAdded.class, (stock, event) -> new Stock(stock.available() + event.quantity()))
            .on(StockReserved.class, (stock, event) -> new Stock(stock.available() - event.quantity()))
            .build();

    record Sold(int quantity) {}

    static final View<Sold> SOLD = new View<>("sold", Sold.class);

    static final Component RESERVATIONS = Component.named("reservations")
            .on(OrderPlaced.class, (event, context) -> {
                String orderId = context.event().key();
                context.decide(decision -> decision.state(STOCK, event.product())
                        .reserve(orderId, event.quantity())
                        .forEach(stockEvent -> decision.append(STOCK, event.product(), stockEvent)));
                context.update(
                        SOLD,
                        event.product(),
                        sold -> new Sold((sold == null ? 0 : sold.quantity()) + event.quantity()));
            })
            .build();

    @Test
    void twoServicesExchangeEvents() {
        Clock clock = Clock.systemUTC();
        InMemoryWire wire = new InMemoryWire();

        try (HoldfastService orders = HoldfastService.named("orders", new InMemoryStore("orders", clock), wire)
                        .owns("orders")
                        .start();
                HoldfastService inventory = HoldfastService.named(
                                "inventory", new InMemoryStore("inventory", clock), wire)
                        .owns("stock")
                        .processor(
                                "orders", processor -> processor.reads("orders").calls(RESERVATIONS))
                        .start()) {

            inventory.commands().execute(Command.once(clock), STOCK, "apple", stock -> List.of(new StockAdded(10)));
            CommandResult placed = orders.commands()
                    .execute(Command.keyed("POST /orders", "key-1"), ORDER, "o-1", order -> order.place("apple", 3));
            CommandResult again = orders.commands()
                    .execute(Command.keyed("POST /orders", "key-1"), ORDER, "o-1", order -> order.place("apple", 3));

            assertThat(again.duplicate()).isTrue();
            assertThat(again.events()).isEqualTo(placed.events());
            await().untilAsserted(() ->
                    assertThat(inventory.commands().state(STOCK, "apple")).isEqualTo(new Stock(7)));
            await().untilAsserted(() ->
                    assertThat(inventory.views().find(SOLD, "apple")).contains(new Sold(3)));
        }
    }

    @Test
    void reservesStockForOrder() {
        Scenario.given(STOCK, "apple", new StockAdded(10))
                .when(RESERVATIONS, "orders", "o-1", new OrderPlaced("apple", 3))
                .thenAppended(new StockReserved("o-1", 3))
                .thenState(STOCK, "apple", new Stock(7));
    }

    @Test
    void rejectsOrderThatExceedsStock() {
        Scenario.given(STOCK, "apple", new StockAdded(2))
                .when(RESERVATIONS, "orders", "o-1", new OrderPlaced("apple", 3))
                .thenRejected(SoldOut.class);
    }
}
