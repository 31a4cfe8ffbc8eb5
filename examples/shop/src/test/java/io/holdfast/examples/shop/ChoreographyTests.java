package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.examples.shop.inventory.InventoryFixtures;
import io.holdfast.examples.shop.order.OrderFixtures;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaEvent;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the outcome of orders in every interleaving of deliveries between services and the customer's cancellation. */
@DisplayName("In every interleaving")
class ChoreographyTests {

    private static final String TEA = "tea";
    private static final int STOCK = 5;

    @Test
    void confirmsSellsAndChargesOrderOnce() {
        forEveryInterleaving(1, new Case(STOCK, false, "10.00", false), shop -> {
            assertThat(countEvents(shop, "OrderConfirmed", "PaymentProcessed", "StockReserved", "StockSold"))
                    .containsExactly(1L, 1L, 1L, 1L);
            assertThat(shop.countEvents("OrderCancelled")).isZero();
        });
    }

    @Test
    void cancelsOrderWithoutStockAndNeverCharges() {
        forEveryInterleaving(1, new Case(1, false, "10.00", false), shop -> {
            assertThat(countEvents(shop, "OrderCancelled", "StockReservationFailed"))
                    .containsExactly(1L, 1L);
            assertThat(countEvents(shop, "PaymentProcessed", "StockAllocated")).containsExactly(0L, 0L);
        });
    }

    @Test
    void cancelsDeclinedOrderAndReleasesStockOnce() {
        forEveryInterleaving(1, new Case(STOCK, false, "9000.00", false), shop -> {
            assertThat(countEvents(shop, "OrderCancelled", "PaymentFailed", "StockReleased"))
                    .containsExactly(1L, 1L, 1L);
            assertThat(shop.countEvents("PaymentRefunded")).isZero();
        });
    }

    @Test
    void refundsAndReleasesEverythingOfCancelledOrder() {
        int runs = forEveryInterleaving(20, new Case(STOCK, false, "10.00", true), shop -> {
            assertThat(shop.countEvents("OrderCancelled")).isEqualTo(1);
            assertThat(shop.countEvents("PaymentProcessed")).isEqualTo(shop.countEvents("PaymentRefunded"));
            assertThat(shop.countEvents("StockReserved")).isEqualTo(shop.countEvents("StockReleased"));
        });

        assertThat(runs).as("interleavings, including the races").isGreaterThan(20);
    }

    @Test
    void cancelsOnceIfCustomerCancelsAndPaymentIsDeclined() {
        forEveryInterleaving(10, new Case(STOCK, false, "9000.00", true), shop -> {
            assertThat(shop.countEvents("OrderCancelled")).isEqualTo(1);
            assertThat(shop.countEvents("PaymentRefunded")).isZero();
            assertThat(shop.countEvents("StockReserved")).isEqualTo(shop.countEvents("StockReleased"));
        });
    }

    @Test
    void cancelsOnceIfCustomerCancelsAndStockIsInsufficient() {
        forEveryInterleaving(2, new Case(1, false, "10.00", true), shop -> {
            assertThat(shop.countEvents("OrderCancelled")).isEqualTo(1);
            assertThat(countEvents(shop, "StockAllocated", "StockReleased", "PaymentProcessed"))
                    .containsExactly(0L, 0L, 0L);
        });
    }

    @Test
    void confirmsBackorderOnceAfterReplay() {
        forEveryInterleaving(1, new Case(1, true, "10.00", false), shop -> {
            assertThat(countEvents(shop, "OrderConfirmed", "PaymentProcessed", "StockReserved"))
                    .containsExactly(1L, 1L, 1L);
            assertThat(shop.countEvents("StockReservationFailed")).isZero();
        });
    }

    @Test
    void releasesEverythingOfCancelledBackorderOnReplay() {
        forEveryInterleaving(20, new Case(1, true, "10.00", true), shop -> {
            assertThat(shop.countEvents("OrderCancelled")).isEqualTo(1);
            assertThat(shop.countEvents("PaymentProcessed")).isEqualTo(shop.countEvents("PaymentRefunded"));
            assertThat(shop.countEvents("StockReserved")).isEqualTo(shop.countEvents("StockReleased"));
        });
    }

    @Test
    void confirmsExactlyOneOfTwoOrdersForTheLastItems() {
        // The first deliveries decide which order wins. The other tests enumerate what follows.
        int runs = Interleaving.runAll(6, choices -> {
            SimulatedShop shop = shop(new Case(3, false, "10.00", false));
            place(shop, "o-1", "10.00");
            place(shop, "o-2", "10.00");

            deliverAll(shop, choices, new ArrayList<>());

            assertThat(countEvents(shop, "OrderConfirmed", "OrderCancelled", "PaymentProcessed"))
                    .as(choices.toString())
                    .containsExactly(1L, 1L, 1L);
            assertThat(new StockLedger(shop, TEA).onHand()).isZero();
        });

        assertThat(runs).isGreaterThan(20);
    }

    @Test
    void addsSagaMetadataToEveryEventOfAnOrder() {
        forEveryInterleaving(1, new Case(STOCK, false, "10.00", true), shop -> assertThat(sagaMetadata(shop))
                .isNotEmpty()
                .allSatisfy(metadata -> {
                    assertThat(metadata.sagaId()).contains("saga-o-1");
                    assertThat(metadata.sagaType()).contains("OrderFulfillment");
                }));
    }

    private static int forEveryInterleaving(int atLeast, Case given, Consumer<SimulatedShop> check) {
        int runs = Interleaving.runAll(choices -> {
            SimulatedShop shop = shop(given);
            place(shop, "o-1", given.price());
            List<Runnable> actions = new ArrayList<>();
            if (given.cancelled()) {
                actions.add(() -> shop.order.decide(
                        OrderFixtures.sagaMetadata("o-1"), OrderFixtures.cancelOrder("o-1", "not wanted")));
            }

            deliverAll(shop, choices, actions);

            check.accept(shop);
            StockLedger ledger = new StockLedger(shop, TEA);
            assertThat(ledger.reserved()).as("reserved after %s", choices).isZero();
            assertThat(ledger.onHand())
                    .as("on hand after %s", choices)
                    .isEqualTo(ledger.received() - (shop.countEvents("OrderCancelled") == 0 ? 3 : 0));
            SagaState saga = saga(shop);
            assertThat(saga.status())
                    .as("saga after %s", choices)
                    .isEqualTo(shop.countEvents("OrderConfirmed") == 0 ? SagaStatus.COMPENSATED : SagaStatus.COMPLETED);
            assertThat(saga.attentionReason()).as("attention after %s", choices).isEmpty();
        });
        assertThat(runs).isGreaterThanOrEqualTo(atLeast);
        return runs;
    }

    /**
     * Runs deliveries and the customer's actions in any order until none is left; replays parked events after a
     * restock.
     */
    private static void deliverAll(SimulatedShop shop, Interleaving choices, List<Runnable> actions) {
        while (true) {
            List<Runnable> possible = new ArrayList<>();
            shop.possibleDeliveries().forEach(delivery -> possible.add(() -> shop.deliver(delivery)));
            actions.forEach(action -> possible.add(() -> {
                actions.remove(action);
                action.run();
            }));
            if (shop.hasParked()) {
                possible.add(() -> {
                    shop.inventory.decide(Metadata.none(), InventoryFixtures.replenishStock(TEA, 10));
                    shop.replay();
                });
            }
            if (possible.isEmpty()) {
                return;
            }
            possible.get(choices.choose(possible.size())).run();
        }
    }

    private static SimulatedShop shop(Case given) {
        SimulatedShop shop = new SimulatedShop();
        shop.inventory.decide(
                Metadata.none(), InventoryFixtures.createProduct(TEA, given.price(), given.stock(), given.backorder()));
        return shop;
    }

    /** Orders three items. */
    private static void place(SimulatedShop shop, String orderId, String price) {
        shop.order.decide(OrderFixtures.sagaMetadata(orderId), OrderFixtures.placeOrder(orderId, TEA, 3, price));
    }

    /** Returns the saga of the only order, after all events. */
    private static SagaState saga(SimulatedShop shop) {
        CompensationRegistry registry = new CompensationRegistry();
        OrderFulfillment.declare(registry).cancelBy((saga, decision) -> {});
        Choreography fulfillment =
                registry.choreographies().find(OrderFulfillment.TYPE).orElseThrow();
        return shop.events()
                .filter(event -> event.metadata().sagaId().isPresent())
                .map(event -> SagaEvent.of(event, null))
                .reduce(
                        (SagaState) null,
                        (state, event) -> fulfillment.record(state, event, Duration.ofMinutes(1)),
                        (one, other) -> other);
    }

    private static List<Long> countEvents(SimulatedShop shop, String... types) {
        return Stream.of(types).map(shop::countEvents).toList();
    }

    private static List<Metadata> sagaMetadata(SimulatedShop shop) {
        return shop.events()
                .filter(event ->
                        !event.type().equals("ProductCreated") && !event.type().equals("OrderCreated"))
                .map(EventMessage::metadata)
                .toList();
    }

    /** The conditions for an order of three items. */
    private record Case(int stock, boolean backorder, String price, boolean cancelled) {}
}
