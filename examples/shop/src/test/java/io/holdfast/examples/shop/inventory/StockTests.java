package io.holdfast.examples.shop.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fixture.Scenario;
import io.holdfast.fixture.ScenarioOutcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StockTests {

    private static final BigDecimal TOTAL = new BigDecimal("30.22");
    private static final StockReserved RESERVED = new StockReserved("o-1", "c-1", Map.of("tea", 3, "cup", 1), TOTAL);

    @Test
    void reservesAllLinesInOneUnit() {
        ScenarioOutcome outcome =
                stock(5, 1).when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 3, "cup", 1));

        outcome.thenAppendedTo(Product.TYPE, "tea", new StockAllocated("o-1", 3))
                .thenAppendedTo(Product.TYPE, "cup", new StockAllocated("o-1", 1))
                .thenAppendedTo(Reservation.TYPE, "o-1", RESERVED);
    }

    @Test
    void reservesNothingIfOneProductIsOutOfStock() {
        stock(5, 0)
                .when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 3, "cup", 1))
                .thenAppended(new StockReservationFailed("o-1", "insufficient stock: 1 of cup requested, 0 available"));
    }

    @Test
    void addsQuantitiesOfAProductInTwoLines() {
        stock(5, 0)
                .when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 3, "tea", 3))
                .thenAppended(new StockReservationFailed("o-1", "insufficient stock: 6 of tea requested, 5 available"));
    }

    @Test
    void failsForUnknownProduct() {
        stock(5, 1)
                .when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 1, "yacht", 1))
                .thenAppended(
                        new StockReservationFailed("o-1", "insufficient stock: 1 of yacht requested, 0 available"));
    }

    @Test
    void reservesOnceForAnOrder() {
        reserved()
                .when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 1, "cup", 0))
                .thenNothing();
    }

    @Test
    void throwsIfOnlyBackorderProductsAreShort() {
        Scenario scenario = stock(5, 0).and(Product.TYPE, "lamp", product("lamp", "20.00", 1, true));

        scenario.when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 3, "lamp", 2))
                .thenRejected(InsufficientStockException.class);
    }

    @Test
    void failsIfAnotherProductIsShortToo() {
        stock(5, 0)
                .and(Product.TYPE, "lamp", product("lamp", "20.00", 1, true))
                .when(InventoryFixtures.reservation(), "orders", "o-1", order("cup", 1, "lamp", 2))
                .thenAppended(new StockReservationFailed(
                        "o-1",
                        "insufficient stock: 1 of cup requested, 0 available, 2 of lamp requested, 1 available"));
    }

    @Test
    void messageNamesTheShortageAndTheNextStep() {
        Product lamp = new Product("lamp", "L-1", "Lamp", new BigDecimal("20.00"), 3, 2, true, false);

        assertThat(new InsufficientStockException("o-1", List.of(new Shortage(lamp, "lamp", 2))))
                .hasMessage("order o-1 waits for a restock (2 of lamp requested, 1 available);"
                        + " replenish the stock, then replay");
    }

    @Test
    void releasesAllWhenPaymentFailsAsCompensation() {
        ScenarioOutcome outcome = reserved()
                .when(
                        InventoryFixtures.release(),
                        "payments",
                        "o-1",
                        new StockRelease.PaymentFailed("o-1", "declined"));

        outcome.thenAppendedTo(Product.TYPE, "tea", new StockFreed("o-1", 3))
                .thenAppendedTo(Product.TYPE, "cup", new StockFreed("o-1", 1))
                .thenAppendedTo(Reservation.TYPE, "o-1", new StockReleased("o-1", "declined"))
                .thenState(Product.TYPE, "tea", tea(5, 0));
    }

    @Test
    void releasesAtMostOnce() {
        reserved()
                .and(Product.TYPE, "tea", new StockFreed("o-1", 3))
                .and(Product.TYPE, "cup", new StockFreed("o-1", 1))
                .and(Reservation.TYPE, "o-1", new StockReleased("o-1", "declined"))
                .when(InventoryFixtures.release(), "orders", "o-1", cancelled())
                .thenNothing();
    }

    @Test
    void reservesNothingAfterAnEarlierCancellation() {
        stock(5, 1)
                .when(InventoryFixtures.release(), "orders", "o-1", cancelled())
                .thenAppended(new ReservationWithdrawn("o-1", "not wanted"));
        stock(5, 1)
                .and(Reservation.TYPE, "o-1", new ReservationWithdrawn("o-1", "not wanted"))
                .when(InventoryFixtures.reservation(), "orders", "o-1", order("tea", 3, "cup", 1))
                .thenNothing();
    }

    @Test
    void releasesNothingOfAFailedReservation() {
        stock(5, 1)
                .and(Reservation.TYPE, "o-1", new StockReservationFailed("o-1", "no stock"))
                .when(InventoryFixtures.release(), "orders", "o-1", cancelled())
                .thenNothing();
    }

    @Test
    void sellsReservedStockWhenOrderIsConfirmed() {
        reserved()
                .when(InventoryFixtures.sale(), "orders", "o-1", new StockSale.OrderConfirmed("o-1"))
                .thenAppendedTo(Product.TYPE, "tea", new StockSold("o-1", 3))
                .thenAppendedTo(Product.TYPE, "cup", new StockSold("o-1", 1))
                .thenAppendedTo(Reservation.TYPE, "o-1", new ReservationFulfilled("o-1"))
                .thenState(Product.TYPE, "tea", tea(2, 0));
    }

    @Test
    void returnsSoldStockWhenOrderIsCancelled() {
        reserved()
                .and(Product.TYPE, "tea", new StockSold("o-1", 3))
                .and(Product.TYPE, "cup", new StockSold("o-1", 1))
                .and(Reservation.TYPE, "o-1", new ReservationFulfilled("o-1"))
                .when(InventoryFixtures.release(), "orders", "o-1", cancelled())
                .thenAppendedTo(Product.TYPE, "tea", new StockReturned("o-1", 3))
                .thenAppendedTo(Reservation.TYPE, "o-1", new StockReleased("o-1", "not wanted"))
                .thenState(Product.TYPE, "tea", tea(5, 0));
    }

    @Test
    void doesNotSellReleasedOrUnreservedStock() {
        stock(5, 1)
                .when(InventoryFixtures.sale(), "orders", "o-1", new StockSale.OrderConfirmed("o-1"))
                .thenNothing();
        stock(5, 1)
                .and(Reservation.TYPE, "o-1", RESERVED, new StockReleased("o-1", "not wanted"))
                .when(InventoryFixtures.sale(), "orders", "o-1", new StockSale.OrderConfirmed("o-1"))
                .thenNothing();
    }

    @Test
    void replenishesUpToTheLimit() {
        Product full = tea(Product.MAX_ON_HAND - 5, 0);

        assertThat(full.replenish(5)).containsExactly(new StockReplenished(5));
        assertThatThrownBy(() -> full.replenish(6))
                .isInstanceOf(StockLimitException.class)
                .hasMessage("product tea has 999999995 on hand; adding 6 would exceed the limit of 1000000000");
    }

    @Test
    void reordersOnlyFlaggedProductsBelowTheReorderPoint() {
        assertThat(replenished(99, 0).reorder()).containsExactly(new StockReplenished(1000));
        assertThat(replenished(150, 51).reorder()).containsExactly(new StockReplenished(1000));
        assertThat(replenished(100, 0).reorder()).isEmpty();
        assertThat(tea(1, 0).reorder()).isEmpty();
    }

    private static Scenario stock(int tea, int cups) {
        return Scenario.given(Product.TYPE, "tea", product("tea", "4.99", tea, false))
                .and(Product.TYPE, "cup", product("cup", "12.50", cups, false));
    }

    private static Scenario reserved() {
        return stock(5, 1)
                .and(Product.TYPE, "tea", new StockAllocated("o-1", 3))
                .and(Product.TYPE, "cup", new StockAllocated("o-1", 1))
                .and(Reservation.TYPE, "o-1", RESERVED);
    }

    private static ProductCreated product(String id, String price, int quantity, boolean backorder) {
        return new ProductCreated(id, "sku-" + id, id, new BigDecimal(price), quantity, backorder, false);
    }

    private static Product tea(int onHand, int reserved) {
        return new Product("tea", "sku-tea", "tea", new BigDecimal("4.99"), onHand, reserved, false, false);
    }

    private static Product replenished(int onHand, int reserved) {
        return new Product("tea", "sku-tea", "tea", new BigDecimal("4.99"), onHand, reserved, false, true);
    }

    private static StockRelease.OrderCancelled cancelled() {
        return new StockRelease.OrderCancelled("o-1", "not wanted");
    }

    private static StockReservation.OrderCreated order(String one, int ofOne, String other, int ofOther) {
        List<StockReservation.Line> lines =
                List.of(new StockReservation.Line(one, ofOne), new StockReservation.Line(other, ofOther));
        return new StockReservation.OrderCreated("o-1", "c-1", lines, TOTAL);
    }
}
