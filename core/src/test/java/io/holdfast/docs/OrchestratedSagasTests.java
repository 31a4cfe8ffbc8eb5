package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.holdfast.InvalidSettingsException;
import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepStatus;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaHandle;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quoted by docs/concepts/sagas.md and docs/guides/orchestrated-sagas.md; DocumentationTests compares them. */
class OrchestratedSagasTests {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore orderStore = new InMemoryStore("order", clock);
    private final InMemoryStore inventoryStore = new InMemoryStore("inventory", clock);
    private final FraudClient fraud = new FraudClient();
    private final CarrierClient carrier = new CarrierClient();
    private final SagaDefinition<Checkout> checkout = checkout(fraud, carrier);
    private HoldfastService order;
    private HoldfastService inventory;

    @BeforeEach
    void startServices() {
        inventory = startInventory();
        order = startOrder(checkout);
    }

    @AfterEach
    void closeServices() {
        order.close();
        inventory.close();
    }

    static SagaDefinition<Checkout> checkout(FraudClient fraud, CarrierClient carrier) {
        return SagaDefinition.named("OrderCheckout", Checkout.class)
                .key(Checkout::orderId)
                .timeout(Duration.ofSeconds(60))
                .step("create-order")
                .local((data, decision) -> decision.append(ORDER, data.orderId(), new OrderCreated()))
                .undo((data, decision) -> decision.append(ORDER, data.orderId(), new OrderCancelled()))
                .step("check-fraud")
                .when(Checkout::isLarge)
                .call((data, call) -> fraud.score(data.orderId(), call.idempotencyKey()))
                .then(Checkout::withScore)
                .timeout(Duration.ofSeconds(5))
                .retry(3)
                .breaker("fraud")
                .step("reserve-stock")
                .command(data -> new ReserveStock(data.orderId(), data.quantity()))
                .repliedBy("reservations", "StockReserved")
                .refusedBy("StockReservationFailed")
                .timeout(Duration.ofSeconds(15))
                .undo(data -> new ReleaseStock(data.orderId()))
                .repliedBy("StockReleased", "ReservationWithdrawn")
                .step("confirm-order")
                .local((data, decision) -> decision.append(ORDER, data.orderId(), new OrderConfirmed(data.score())))
                .step("book-carrier")
                .callAsync((data, call) -> carrier.book(data.orderId(), call.idempotencyKey()))
                .park()
                .build();
    }

    private HoldfastService startOrder(SagaDefinition<Checkout> definition) {
        return HoldfastService.named("order", orderStore, wire)
                .owns("orders", "carts")
                .saga(definition)
                .processor("carts", processor -> processor
                        .reads("carts")
                        .calls(Component.of("checkouts", new Checkouts()).build()))
                .start();
    }

    private HoldfastService startInventory() {
        return HoldfastService.named("inventory", inventoryStore, wire)
                .owns("reservations")
                .processor("stock", processor -> processor
                        .reads("order.sagas")
                        .calls(Component.of("checkout-stock", new CheckoutStock())
                                .sagaTypes("OrderCheckout")
                                .build()))
                .start();
    }

    @Test
    void confirmsAnOrder() {
        SagaHandle saga =
                order.sagas().start(checkout, Command.keyed("POST /checkouts", "key-1"), Checkout.of("o-1", 20));
        Optional<SagaState> ended = saga.await(Duration.ofSeconds(30)); // empty: the saga is still running

        assertThat(ended.orElseThrow().status()).isEqualTo(SagaStatus.COMPLETED);
        assertThat(order.commands().state(ORDER, "o-1").status()).isEqualTo("confirmed with score 7");
        assertThat(carrier.booked).containsExactly("o-1");
    }

    @Test
    void cancelsAnOrderThatInventoryRefuses() {
        SagaState ended = run("o-2", 1_000);

        assertThat(ended.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(ended.reason()).isEqualTo("sold out");
        assertThat(order.commands().state(ORDER, "o-2").status()).isEqualTo("cancelled");
    }

    @Test
    void startsFromAHandler() {
        order.commands().execute(Command.once(clock), CART, "c-1", cart -> List.of(new CartCheckedOut("o-3", 2)));

        assertThat(order.sagas().find("saga-o-3").await(LONG).orElseThrow().status())
                .isEqualTo(SagaStatus.COMPLETED);
    }

    @Test
    void parksACallAfterThePivot() {
        carrier.isRefusing = true;

        SagaHandle saga = start("o-4", 2);
        await().atMost(LONG)
                .until(() -> order.deadLetterQueue("sagas", "OrderCheckout.book-carrier")
                                .size()
                        == 1);

        assertThat(find(saga).status()).isEqualTo(SagaStatus.IN_PROGRESS);
        carrier.isRefusing = false;
        order.deadLetterProcessor("sagas", "OrderCheckout.book-carrier")
                .processAny()
                .join();
        assertThat(saga.await(LONG).orElseThrow().status()).isEqualTo(SagaStatus.COMPLETED);
    }

    @Test
    void endsSagasOfTheFormerDefinition() {
        inventory.close();
        SagaHandle saga = start("o-5", 20);
        await().atMost(LONG).until(() -> find(saga).stepInProgress().stream()
                .anyMatch(step -> step.name().equals("reserve-stock")));
        order.close();

        assertThatThrownBy(() -> startOrder(withoutFraud()))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining(
                        "step OrderCheckout/check-fraud is not declared, but 1 running sagas have it: " + saga.id())
                .hasMessageContaining("step OrderCheckout/reserve-stock is not declared");

        order = startOrder(changed());
        inventory = startInventory();
        SagaState ended = order.sagas().find(saga.id()).await(LONG).orElseThrow();
        assertThat(ended.stepsInOrder())
                .extracting(SagaStepRecord::name, SagaStepRecord::status)
                .containsExactly(
                        tuple("create-order", StepStatus.COMPLETED),
                        tuple("check-fraud", StepStatus.COMPLETED),
                        tuple("reserve-stock", StepStatus.COMPLETED),
                        tuple("confirm-order", StepStatus.COMPLETED),
                        tuple("book-carrier", StepStatus.COMPLETED));
    }

    /** The next version: a step is retired, and another one is renamed. */
    private SagaDefinition<Checkout> changed() {
        return SagaDefinition.named("OrderCheckout", Checkout.class)
                .key(Checkout::orderId)
                .step("create-order")
                .local((data, decision) -> decision.append(ORDER, data.orderId(), new OrderCreated()))
                .undo((data, decision) -> decision.append(ORDER, data.orderId(), new OrderCancelled()))
                .retired("check-fraud")
                .call((data, call) -> fraud.score(data.orderId(), call.idempotencyKey()))
                .step("reserve-items")
                .formerly("reserve-stock")
                .command(data -> new ReserveStock(data.orderId(), data.quantity()))
                .repliedBy("reservations", "StockReserved")
                .refusedBy("StockReservationFailed")
                .undo(data -> new ReleaseStock(data.orderId()))
                .repliedBy("StockReleased", "ReservationWithdrawn")
                .step("confirm-order")
                .local((data, decision) -> decision.append(ORDER, data.orderId(), new OrderConfirmed(data.score())))
                .step("book-carrier")
                .callAsync((data, call) -> carrier.book(data.orderId(), call.idempotencyKey()))
                .park()
                .build();
    }

    /** A version that has forgotten the sagas that are running. */
    private SagaDefinition<Checkout> withoutFraud() {
        return SagaDefinition.named("OrderCheckout", Checkout.class)
                .step("create-order")
                .local((data, decision) -> decision.append(ORDER, data.orderId(), new OrderCreated()))
                .step("confirm-order")
                .local((data, decision) -> decision.append(ORDER, data.orderId(), new OrderConfirmed(data.score())))
                .step("book-carrier")
                .callAsync((data, call) -> carrier.book(data.orderId(), call.idempotencyKey()))
                .build();
    }

    private SagaHandle start(String orderId, int quantity) {
        return order.sagas().start(checkout, Command.keyed("checkouts", orderId), Checkout.of(orderId, quantity));
    }

    private SagaState run(String orderId, int quantity) {
        return start(orderId, quantity).await(LONG).orElseThrow();
    }

    private SagaState find(SagaHandle saga) {
        return order.sagaStates().find(saga.id()).orElseThrow().state();
    }

    /** Starts a saga for every cart that is checked out. */
    final class Checkouts {

        @EventHandler
        void on(CartCheckedOut cart, EventContext context) {
            Checkout data = Checkout.of(cart.orderId(), cart.quantity());
            order.sagas().start(context, checkout, "saga-" + cart.orderId(), data);
        }
    }

    /** One component handles a command and its undo. */
    static final class CheckoutStock {

        @EventHandler
        void on(ReserveStock command, EventContext context) {
            context.decide(RESERVATION, command.orderId(), reservation -> switch (reservation.status()) {
                case "none" ->
                    List.of(
                            command.quantity() > 100
                                    ? new StockReservationFailed("sold out")
                                    : new StockReserved(command.quantity()));
                default -> List.of(); // repeated, or withdrawn
            });
        }

        @EventHandler
        void on(ReleaseStock command, EventContext context) {
            context.decide(RESERVATION, command.orderId(), reservation -> switch (reservation.status()) {
                case "reserved" -> List.of(new StockReleased());
                case "none" -> List.of(new ReservationWithdrawn());
                default -> List.of(); // repeated, or refused
            });
        }
    }

    private static final AggregateType<Order> ORDER = AggregateType.of("orders", Order.class, new Order("none"))
            .on(OrderCreated.class, (order, event) -> new Order("created"))
            .on(OrderCancelled.class, (order, event) -> new Order("cancelled"))
            .on(OrderConfirmed.class, (order, event) -> new Order("confirmed with score " + event.score()))
            .build();

    private static final AggregateType<Cart> CART = AggregateType.of("carts", Cart.class, new Cart())
            .on(CartCheckedOut.class, (cart, event) -> cart)
            .build();

    private static final AggregateType<Reservation> RESERVATION = AggregateType.of(
                    "reservations", Reservation.class, new Reservation("none"))
            .on(StockReserved.class, (reservation, event) -> new Reservation("reserved"))
            .on(StockReservationFailed.class, (reservation, event) -> new Reservation("failed"))
            .on(StockReleased.class, (reservation, event) -> new Reservation("released"))
            .on(ReservationWithdrawn.class, (reservation, event) -> new Reservation("withdrawn"))
            .build();

    /** The data of the saga. */
    record Checkout(String orderId, int quantity, int score) {

        static Checkout of(String orderId, int quantity) {
            return new Checkout(orderId, quantity, 0);
        }

        boolean isLarge() {
            return quantity > 10;
        }

        Checkout withScore(int newScore) {
            return new Checkout(orderId, quantity, newScore);
        }
    }

    record Order(String status) {}

    record Cart() {}

    record Reservation(String status) {}

    record OrderCreated() {}

    record OrderCancelled() {}

    record OrderConfirmed(int score) {}

    record CartCheckedOut(String orderId, int quantity) {}

    record ReserveStock(String orderId, int quantity) {}

    record ReleaseStock(String orderId) {}

    record StockReserved(int quantity) {}

    record StockReservationFailed(String reason) {}

    record StockReleased() {}

    record ReservationWithdrawn() {}

    /** A client that blocks its thread. */
    static final class FraudClient {

        int score(String orderId, String idempotencyKey) {
            return orderId.isEmpty() || idempotencyKey.isEmpty() ? 100 : 7;
        }
    }

    /** A client that returns a future. */
    static final class CarrierClient {

        private final List<String> booked = new CopyOnWriteArrayList<>();
        private volatile boolean isRefusing;

        CompletionStage<String> book(String orderId, String idempotencyKey) {
            if (isRefusing) {
                return CompletableFuture.failedFuture(new AddressUnknown(orderId));
            }
            booked.add(orderId);
            return CompletableFuture.completedFuture(idempotencyKey);
        }
    }

    static final class AddressUnknown extends RuntimeException implements NonRetryableException {

        private static final long serialVersionUID = 1L;

        AddressUnknown(String orderId) {
            super("the address of order " + orderId + " is unknown");
        }
    }
}
