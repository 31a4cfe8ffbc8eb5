package io.holdfast.examples.shop.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.Decision;
import io.holdfast.examples.shop.web.RequestRejectedException;
import io.holdfast.fixture.Scenario;
import io.holdfast.fixture.ScenarioOutcome;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderTests {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final List<OrderLine> LINES =
            List.of(new OrderLine("tea", 3, new BigDecimal("4.99")), new OrderLine("cup", 1, new BigDecimal("12.50")));
    private static final OrderCreated CREATED = new OrderCreated(
            "o-1", "c-1", LINES, new BigDecimal("27.47"), new BigDecimal("2.75"), new BigDecimal("30.22"), NOON);
    private static final OrderConfirmed CONFIRMED = new OrderConfirmed("o-1", "c-1", new BigDecimal("30.22"), NOON);

    @Test
    void addsTaxToTheSubtotal() {
        Scenario.givenNothing()
                .when(Order.TYPE, "o-1", none -> List.of(Order.create("o-1", "c-1", LINES, NOON)))
                .thenAppended(CREATED)
                .thenState(
                        Order.TYPE,
                        "o-1",
                        new Order("o-1", "c-1", OrderStatus.PENDING, LINES, new BigDecimal("30.22"), "", NOON));
    }

    @Test
    void confirmsOrderWhenPaid() {
        ScenarioOutcome outcome = Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(OrderFixtures.confirmation(), "payments", "o-1", new OrderConfirmation.PaymentProcessed("o-1"));

        outcome.thenAppended(CONFIRMED);
    }

    @Test
    void cancelsOrderWhenStockIsInsufficient() {
        Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(
                        OrderFixtures.cancellation(),
                        "reservations",
                        "o-1",
                        new OrderCancellation.StockReservationFailed("o-1", "insufficient stock of tea"))
                .thenAppended(cancelled("insufficient stock of tea"));
    }

    @Test
    void cancelsOrderWhenPaymentIsDeclined() {
        ScenarioOutcome outcome = Scenario.given(Order.TYPE, "o-1", CREATED)
                .when(OrderFixtures.cancellation(), "payments", "o-1", declined());

        outcome.thenAppended(cancelled("declined"));
    }

    @Test
    void ignoresEventsOnceConfirmedOrCancelled() {
        Scenario.given(Order.TYPE, "o-1", CREATED, cancelled("not wanted"))
                .when(OrderFixtures.confirmation(), "payments", "o-1", new OrderConfirmation.PaymentProcessed("o-1"))
                .thenNothing();
        Scenario.given(Order.TYPE, "o-1", CREATED, CONFIRMED)
                .when(OrderFixtures.cancellation(), "payments", "o-1", declined())
                .thenNothing();
    }

    @Test
    void cancelsPendingOrConfirmedOrderOnce() {
        Decision cancellation = OrderCommands.cancellation("o-1", "not wanted");

        Scenario.given(Order.TYPE, "o-1", CREATED).when(cancellation).thenAppended(cancelled("not wanted"));
        Scenario.given(Order.TYPE, "o-1", CREATED, CONFIRMED).when(cancellation).thenAppended(cancelled("not wanted"));
        Scenario.given(Order.TYPE, "o-1", CREATED, cancelled("declined"))
                .when(cancellation)
                .thenNothing();
        Scenario.givenNothing().when(cancellation).thenRejected(RequestRejectedException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0.05, 1, 0.05, 0.01, 0.06",
        "0.04, 1, 0.04, 0.00, 0.04",
        "1000000, 10000, 10000000000.00, 1000000000.00, 11000000000.00"
    })
    void roundsTaxHalfUpToTheCent(
            BigDecimal price, int quantity, BigDecimal subtotal, BigDecimal tax, BigDecimal total) {
        assertThat(OrderTotal.of(List.of(new OrderLine("tea", quantity, price))))
                .isEqualTo(new OrderTotal(subtotal, tax, total));
    }

    private static OrderCancelled cancelled(String reason) {
        return new OrderCancelled("o-1", "c-1", reason, NOON);
    }

    private static OrderCancellation.PaymentFailed declined() {
        return new OrderCancellation.PaymentFailed("o-1", "declined");
    }
}
