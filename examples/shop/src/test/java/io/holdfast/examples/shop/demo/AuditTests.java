package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.examples.shop.inventory.Reservation;
import io.holdfast.examples.shop.inventory.ReservationStatus;
import io.holdfast.examples.shop.order.CustomerOrders;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.examples.shop.order.OrderLine;
import io.holdfast.examples.shop.order.OrderStatus;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AuditTests {

    private static final BigDecimal PRICE = new BigDecimal("5.00");
    private static final BigDecimal TOTAL = new BigDecimal("16.50");

    private OrderStatus status = OrderStatus.CONFIRMED;
    private BigDecimal total = TOTAL;
    private StockAccount stock = new StockAccount("tea", PRICE, 10, 3, 7, 0, 7);
    private List<StockMove> moves =
            List.of(new StockMove("StockAllocated", "o-1", "tea", 3), new StockMove("StockSold", "o-1", "tea", 3));
    private ReservationStatus reservation = ReservationStatus.FULFILLED;
    private List<Charge> charges = List.of(new Charge("o-1", TOTAL));
    private OrderStatus projected = OrderStatus.CONFIRMED;
    private List<String> gaps = List.of();

    @Test
    void findsNothingInBooksThatBalance() {
        assertThat(Audit.of(books())).isEmpty();
    }

    @Test
    void findsAnOrderThatHasNotEnded() {
        status = OrderStatus.PENDING;

        assertThat(Audit.of(books())).contains("order o-1: has not ended");
    }

    @Test
    void findsATotalThatDoesNotFollowFromThePrices() {
        total = new BigDecimal("16.49");

        assertThat(Audit.of(books())).contains("order o-1: total should be 16.50, but is 16.49");
    }

    @Test
    void findsStockThatIsLost() {
        stock = new StockAccount("tea", PRICE, 10, 3, 6, 0, 6);

        assertThat(Audit.of(books())).containsExactly("stock of tea: sold and left should be 10, but is 9");
    }

    @Test
    void findsStockThatIsStillReserved() {
        stock = new StockAccount("tea", PRICE, 10, 3, 7, 2, 5);

        assertThat(Audit.of(books())).containsExactly("stock of tea: still reserved should be 0, but is 2");
    }

    @Test
    void findsStockThatWasOversoldForAMoment() {
        stock = new StockAccount("tea", PRICE, 10, 3, 7, 0, -1);

        assertThat(Audit.of(books())).containsExactly("stock of tea: oversold, -1 were available");
    }

    @Test
    void findsAnOrderThatWasReservedInPart() {
        moves = List.of(new StockMove("StockAllocated", "o-1", "tea", 2), new StockMove("StockSold", "o-1", "tea", 3));

        assertThat(Audit.of(books())).containsExactly("order o-1: allocated should be {tea=3}, but is {tea=2}");
    }

    @Test
    void findsStockThatWasFreedTwice() {
        status = OrderStatus.CANCELLED;
        projected = OrderStatus.CANCELLED;
        reservation = ReservationStatus.RELEASED;
        charges = List.of();
        moves = List.of(
                new StockMove("StockAllocated", "o-1", "tea", 3),
                new StockMove("StockFreed", "o-1", "tea", 3),
                new StockMove("StockFreed", "o-1", "tea", 3));

        assertThat(Audit.of(books())).containsExactly("order o-1: freed should be {tea=3}, but is {tea=6}");
    }

    @Test
    void findsAReservationThatDoesNotFitTheOrder() {
        reservation = ReservationStatus.RESERVED;

        assertThat(Audit.of(books())).containsExactly("order o-1: confirmed, but its reservation is RESERVED");
    }

    @Test
    void findsAnOrderThatWasPaidTwice() {
        charges = List.of(new Charge("o-1", TOTAL), new Charge("o-1", TOTAL));

        assertThat(Audit.of(books()))
                .containsExactly(
                        "order o-1: payments should be [16.50], but is [16.50, 16.50]",
                        "money: captured payments should be 16.50, but is 33.00");
    }

    @Test
    void findsAPaymentWithoutAnOrder() {
        charges = List.of(new Charge("o-1", TOTAL), new Charge("o-9", new BigDecimal("1.00")));

        assertThat(Audit.of(books())).contains("a payment of 1.00 was captured for order o-9, which does not exist");
    }

    @Test
    void findsAProjectionThatDisagrees() {
        projected = OrderStatus.PENDING;

        assertThat(Audit.of(books()))
                .containsExactly(
                        "order o-1: projection should be CONFIRMED, but is PENDING",
                        "money: spent as CustomerOrders says should be 16.50, but is 0.00");
    }

    @Test
    void passesOnGapsInHistories() {
        gaps = List.of("orders/o-1 sequence should be 2, but is 3");

        assertThat(Audit.of(books())).isEqualTo(gaps);
    }

    private Books books() {
        Order order = new Order("o-1", "c-1", status, List.of(new OrderLine("tea", 3, PRICE)), total, "");
        return new Books(
                Map.of("o-1", order),
                List.of(stock),
                moves,
                Map.of("o-1", new Reservation(reservation, new TreeMap<>(Map.of("tea", 3)))),
                charges,
                Map.of("c-1", new CustomerOrders(Map.of("o-1", new CustomerOrders.Entry(projected, TOTAL)))),
                9,
                gaps);
    }
}
