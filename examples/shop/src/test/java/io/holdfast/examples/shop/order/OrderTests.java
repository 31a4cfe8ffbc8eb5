package io.holdfast.examples.shop.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fixture.Scenario;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTests {

    private static final List<OrderLine> LINES =
            List.of(new OrderLine("tea", 3, new BigDecimal("4.99")), new OrderLine("cup", 1, new BigDecimal("12.50")));
    private static final OrderCreated CREATED = new OrderCreated(
            "o-1", "c-1", LINES, new BigDecimal("27.47"), new BigDecimal("2.75"), new BigDecimal("30.22"));

    @Test
    void isCreatedWithTaxOnTheWhole() {
        Scenario.givenNothing()
                .when(Order.TYPE, "o-1", order -> order.create("o-1", "c-1", LINES))
                .thenAppended(CREATED)
                .thenState(
                        Order.TYPE,
                        "o-1",
                        new Order("o-1", "c-1", OrderStatus.PENDING, LINES, new BigDecimal("30.22"), ""));
    }

    @Test
    void cannotBeCreatedTwice() {
        Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(Order.TYPE, "o-1", order -> order.create("o-1", "c-1", LINES))
                .thenRefused(OrderRefusedException.class);
    }

    @Test
    void isConfirmedWhenPaid() {
        Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(OrderOutcome.component(), "payments", "o-1", new OrderOutcome.PaymentProcessed("o-1"))
                .thenAppended(new OrderConfirmed("o-1", "c-1", new BigDecimal("30.22")));
    }

    @Test
    void isCancelledWhenStockIsMissing() {
        Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(
                        OrderOutcome.component(),
                        "reservations",
                        "o-1",
                        new OrderOutcome.StockReservationFailed("o-1", "not enough stock of tea"))
                .thenAppended(new OrderCancelled("o-1", "c-1", "not enough stock of tea"));
    }

    @Test
    void isCancelledWhenPaymentIsDeclined() {
        Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(OrderOutcome.component(), "payments", "o-1", new OrderOutcome.PaymentFailed("o-1", "declined"))
                .thenAppended(new OrderCancelled("o-1", "c-1", "declined"));
    }

    @Test
    void doesNotMoveOnceItHasEnded() {
        Scenario.given(Order.TYPE, "o-1", CREATED, new OrderCancelled("o-1", "c-1", "declined"))
                .when(OrderOutcome.component(), "payments", "o-1", new OrderOutcome.PaymentProcessed("o-1"))
                .thenNothing();
    }

    @Test
    void needsACustomerALineAndAQuantity() {
        assertThatThrownBy(() -> new PlaceOrder(" ", List.of(new PlaceOrder.Item("tea", 1))))
                .isInstanceOf(OrderRefusedException.class)
                .hasMessage("an order needs a customerId");
        assertThatThrownBy(() -> new PlaceOrder("c-1", List.of()))
                .isInstanceOf(OrderRefusedException.class)
                .hasMessage("an order needs at least one line item");
        assertThatThrownBy(() -> new PlaceOrder.Item("tea", 0))
                .isInstanceOf(OrderRefusedException.class)
                .hasMessage("quantity of product tea must be 1 or more, but is 0");
    }

    @Test
    void roundsTaxHalfUpToTheCent() {
        OrderTotal total = OrderTotal.of(List.of(new OrderLine("tea", 1, new BigDecimal("0.05"))));

        assertThat(total)
                .isEqualTo(new OrderTotal(new BigDecimal("0.05"), new BigDecimal("0.01"), new BigDecimal("0.06")));
    }
}
