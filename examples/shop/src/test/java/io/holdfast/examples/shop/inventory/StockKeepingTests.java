package io.holdfast.examples.shop.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.fixture.Scenario;
import io.holdfast.fixture.ScenarioOutcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StockKeepingTests {

    private static final BigDecimal TOTAL = new BigDecimal("30.22");
    private static final StockReserved RESERVED = new StockReserved("o-1", "c-1", Map.of("tea", 3, "cup", 1), TOTAL);

    @Test
    void reservesAllLinesInOneUnit() {
        stock(5, 1)
                .when(StockKeeping.component(), "orders", "o-1", order("tea", 3, "cup", 1))
                .thenAppendedTo(Product.TYPE, "tea", new StockAllocated("o-1", 3))
                .thenAppendedTo(Product.TYPE, "cup", new StockAllocated("o-1", 1))
                .thenAppendedTo(Reservation.TYPE, "o-1", RESERVED);
    }

    @Test
    void reservesNothingWhenOneProductIsMissing() {
        stock(5, 0)
                .when(StockKeeping.component(), "orders", "o-1", order("tea", 3, "cup", 1))
                .thenAppended(new StockReservationFailed("o-1", "not enough stock of cup"));
    }

    @Test
    void addsUpAProductThatStandsInTwoLines() {
        stock(5, 0)
                .when(StockKeeping.component(), "orders", "o-1", order("tea", 3, "tea", 3))
                .thenAppended(new StockReservationFailed("o-1", "not enough stock of tea"));
    }

    @Test
    void failsForAProductThatItDoesNotKnow() {
        stock(5, 1)
                .when(StockKeeping.component(), "orders", "o-1", order("tea", 1, "yacht", 1))
                .thenAppended(new StockReservationFailed("o-1", "not enough stock of yacht"));
    }

    @Test
    void reservesOnceForAnOrder() {
        reserved()
                .when(StockKeeping.component(), "orders", "o-1", order("tea", 1, "cup", 0))
                .thenNothing();
    }

    @Test
    void releasesAllWhenPaymentFailedAndMarksItAsCompensation() {
        ScenarioOutcome outcome = reserved()
                .when(StockKeeping.component(), "payments", "o-1", new StockKeeping.PaymentFailed("o-1", "declined"));

        outcome.thenAppendedTo(Product.TYPE, "tea", new StockFreed("o-1", 3))
                .thenAppendedTo(Product.TYPE, "cup", new StockFreed("o-1", 1))
                .thenAppendedTo(Reservation.TYPE, "o-1", new StockReleased("o-1", "declined"))
                .thenState(Product.TYPE, "tea", new Product("Green tea", new BigDecimal("4.99"), 5, 0));
        assertThat(outcome.appended()).allMatch(event -> event.metadata().compensating());
    }

    @Test
    void releasesAtMostOnce() {
        reserved()
                .and(Product.TYPE, "tea", new StockFreed("o-1", 3))
                .and(Product.TYPE, "cup", new StockFreed("o-1", 1))
                .and(Reservation.TYPE, "o-1", new StockReleased("o-1", "declined"))
                .when(StockKeeping.component(), "payments", "o-1", new StockKeeping.PaymentFailed("o-1", "declined"))
                .thenNothing();
    }

    @Test
    void sellsWhatWasReservedWhenTheOrderIsConfirmed() {
        reserved()
                .when(StockKeeping.component(), "orders", "o-1", new StockKeeping.OrderConfirmed("o-1"))
                .thenAppendedTo(Product.TYPE, "tea", new StockSold("o-1", 3))
                .thenAppendedTo(Product.TYPE, "cup", new StockSold("o-1", 1))
                .thenAppendedTo(Reservation.TYPE, "o-1", new ReservationFulfilled("o-1"))
                .thenState(Product.TYPE, "tea", new Product("Green tea", new BigDecimal("4.99"), 2, 0));
    }

    @Test
    void doesNotSellWhatWasNeverReserved() {
        stock(5, 1)
                .when(StockKeeping.component(), "orders", "o-1", new StockKeeping.OrderConfirmed("o-1"))
                .thenNothing();
    }

    @Test
    void refusesToAllocateMoreThanIsAvailable() {
        stock(5, 1)
                .when(Product.TYPE, "tea", product -> product.allocate("o-1", 6))
                .thenRefused(InsufficientStockException.class);
    }

    private static Scenario stock(int tea, int cups) {
        return Scenario.given(Product.TYPE, "tea", new ProductCreated("tea", "Green tea", new BigDecimal("4.99"), tea))
                .and(Product.TYPE, "cup", new ProductCreated("cup", "Cup", new BigDecimal("12.50"), cups));
    }

    private static Scenario reserved() {
        return stock(5, 1)
                .and(Product.TYPE, "tea", new StockAllocated("o-1", 3))
                .and(Product.TYPE, "cup", new StockAllocated("o-1", 1))
                .and(Reservation.TYPE, "o-1", RESERVED);
    }

    private static StockKeeping.OrderCreated order(String one, int ofOne, String other, int ofOther) {
        List<StockKeeping.Line> lines =
                List.of(new StockKeeping.Line(one, ofOne), new StockKeeping.Line(other, ofOther));
        return new StockKeeping.OrderCreated("o-1", "c-1", lines, TOTAL);
    }
}
