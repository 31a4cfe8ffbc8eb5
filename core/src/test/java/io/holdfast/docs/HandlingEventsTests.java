package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.fixture.ManualClock;
import io.holdfast.fixture.Scenario;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.handling.Projection;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.HoldfastService;
import io.holdfast.view.View;
import io.holdfast.wire.StartAt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Quoted by docs/guides/handling-events.md; DocumentationTests compares the two. */
class HandlingEventsTests {

    record OrderCreated(String customerId, int amount) {}

    record OrderPaid(String receipt) {}

    record CustomerForgotten() {}

    record Paid(String receipt) {}

    record PaymentFailed(String reason) {}

    record Payment(String receipt) {}

    record Customer(int orders, int total, Instant lastOrder) {}

    record Order(String customerId, int amount) {}

    static final AggregateType<Payment> PAYMENT = AggregateType.of("payments", Payment.class, new Payment(""))
            .on(Paid.class, (payment, event) -> new Payment(event.receipt()))
            .on(PaymentFailed.class, (payment, event) -> payment)
            .build();

    static final AggregateType<Order> ORDER = AggregateType.of("orders", Order.class, new Order("", 0))
            .on(OrderCreated.class, (order, event) -> new Order(event.customerId(), event.amount()))
            .build();

    static final View<Customer> CUSTOMERS = new View<>("customers", Customer.class);

    static final View<Order> ORDERS = new View<>("orders", Order.class);

    static final class Provider {
        private final List<String> keys = new ArrayList<>();
        private boolean declines;

        CompletionStage<String> charge(int amount, String idempotencyKey) {
            keys.add(idempotencyKey);
            if (declines) {
                return CompletableFuture.failedFuture(new Declined());
            }
            return CompletableFuture.completedFuture("r-" + amount);
        }
    }

    static final class Declined extends RuntimeException implements NonRetryableException {
        Declined() {
            super("the card has expired");
        }
    }

    static final class Bookkeeping {

        @EventHandler
        void on(OrderPaid event, EventMessage message, EventContext context) {
            context.decide(PAYMENT, message.key(), payment -> List.of(new Paid(event.receipt())));
        }

        @EventHandler("OrderCancelled")
        void cancelled(EventMessage message, EventContext context) {
            context.update(ORDERS, message.key(), order -> null);
        }
    }

    static final class Charging {

        private final Provider provider;

        Charging(Provider provider) {
            this.provider = provider;
        }

        @EventHandler
        CompletionStage<?> on(OrderCreated event, EventContext context) {
            return provider.charge(event.amount(), context.idempotencyKey())
                    .thenAccept(receipt ->
                            context.decide(PAYMENT, context.event().key(), payment -> List.of(new Paid(receipt))));
        }
    }

    static final class Receipts {

        @EventHandler
        void on(OrderPaid event, EventMessage message, EventContext context) throws SQLException {
            try (PreparedStatement insert =
                    context.resource(Connection.class).prepareStatement("insert into receipt values (?, ?)")) {
                insert.setString(1, message.key());
                insert.setString(2, event.receipt());
                insert.executeUpdate();
            }
        }
    }

    @Test
    void handlesEventWithAnnotatedMethod() {
        Component bookkeeping = Component.of("bookkeeping", new Bookkeeping()).build();

        Scenario.givenNothing()
                .when(bookkeeping, "orders", "o-1", new OrderPaid("r-1"))
                .thenAppended(new Paid("r-1"));
    }

    @Test
    void handlesEventWithFunction() {
        Component bookkeeping = Component.named("bookkeeping")
                .on(
                        OrderPaid.class,
                        (event, context) -> context.decide(
                                PAYMENT, context.event().key(), payment -> List.of(new Paid(event.receipt()))))
                .build();

        Scenario.givenNothing()
                .when(bookkeeping, "orders", "o-1", new OrderPaid("r-1"))
                .thenAppended(new Paid("r-1"));
    }

    @Test
    void passesIdempotencyKeyToExternalCall() {
        Provider provider = new Provider();
        Component charging = Component.of("charging", new Charging(provider))
                .callsOutside()
                .guardedBy("payment-provider")
                .build();

        Scenario.givenNothing()
                .when(charging, "orders", "o-1", new OrderCreated("c-1", 7))
                .thenAppended(new Paid("r-7"));
        assertThat(provider.keys).hasSize(1);
    }

    @Test
    void recoversEventThatFinallyFailed() {
        Provider provider = new Provider();
        provider.declines = true;
        Component charging = Component.of("charging", new Charging(provider))
                .callsOutside()
                .guardedBy("payment-provider")
                .retry(RetryOverrides.NONE.maxAttempts(5))
                .recoverWith((context, failure) -> context.decide(
                        PAYMENT,
                        context.event().key(),
                        payment -> List.of(new PaymentFailed(String.valueOf(failure.getMessage())))))
                .build();
        InMemoryStore store = new InMemoryStore("shop", new ManualClock());

        try (HoldfastService shop = HoldfastService.named("shop", store, new InMemoryWire())
                .owns("orders", "payments")
                .processor("billing", processor -> processor
                        .reads("orders")
                        .startsAt(StartAt.BEGINNING)
                        .calls(charging))
                .start()) {
            shop.commands()
                    .execute(
                            Command.once(Clock.systemUTC()),
                            ORDER,
                            "o-1",
                            order -> List.of(new OrderCreated("c-1", 7)));

            await().atMost(Duration.ofSeconds(10))
                    .until(() -> !store.eventLog().readStream("payments", 0, 10).isEmpty());
            EventMessage event = store.eventLog().readStream("payments", 0, 10).get(0);
            assertThat(new PayloadCodec().decode(event.payload(), PaymentFailed.class))
                    .isEqualTo(new PaymentFailed("the card has expired"));
            assertThat(shop.deadLetterQueue("billing", "charging").size()).isZero();
        }
    }

    @Test
    void projectionMaintainsRows() {
        Component customers = Projection.of(CUSTOMERS)
                .on(
                        OrderCreated.class,
                        OrderCreated::customerId,
                        (row, event, message) -> row == null
                                ? new Customer(1, event.amount(), message.occurredAt())
                                : new Customer(row.orders() + 1, row.total() + event.amount(), message.occurredAt()))
                .on(CustomerForgotten.class, (row, event) -> null)
                .component()
                .build();

        Scenario scenario = Scenario.givenNothing();
        scenario.when(customers, "orders", "o-1", new OrderCreated("c-1", 7));
        scenario.when(customers, "orders", "o-2", new OrderCreated("c-1", 5))
                .thenRow(CUSTOMERS, "c-1", new Customer(2, 12, new ManualClock().instant()));
        scenario.when(customers, "customers", "c-1", new CustomerForgotten()).thenRow(CUSTOMERS, "c-1", null);
    }

    @Test
    void idempotentProjectionIsResettable() {
        Component orders = Projection.of(ORDERS)
                .on(OrderCreated.class, (row, event) -> new Order(event.customerId(), event.amount()))
                .component()
                .resettable()
                .build();

        Scenario scenario = Scenario.givenNothing();
        scenario.when(orders, "orders", "o-1", new OrderCreated("c-1", 7));
        scenario.when(orders, "orders", "o-1", new OrderCreated("c-1", 7)).thenRow(ORDERS, "o-1", new Order("c-1", 7));
        assertThat(orders.isResettable()).isTrue();
    }

    @Test
    void rejectsApplicationRowsWithoutUnitTransaction() {
        Object dataSource = new Object();
        Component receipts =
                Component.of("receipts", new Receipts()).rowsIn(dataSource).build();

        assertThat(receipts.rowsIn()).contains(dataSource);
        Scenario.givenNothing()
                .when(receipts, "orders", "o-1", new OrderPaid("r-1"))
                .thenRejected(PermanentException.class);
    }

    @Test
    void limitedComponentHandlesOnlyItsSagas() {
        Component bookkeeping = Component.of("bookkeeping", new Bookkeeping())
                .sagaTypes("OrderFulfillment")
                .build();

        Scenario.givenNothing()
                .inSaga("OrderFulfillment", "saga-o-1")
                .when(bookkeeping, "orders", "o-1", new OrderPaid("r-1"))
                .thenAppended(new Paid("r-1"));
    }

    @Test
    void renamedComponentKeepsItsStableName() {
        Component accounting = Component.of("accounting", new Bookkeeping())
                .formerly("bookkeeping")
                .build();

        assertThat(accounting.stableName()).isEqualTo("bookkeeping");
    }
}
