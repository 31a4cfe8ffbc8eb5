package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.saga.orchestration.SagaDefinition;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The orchestrated way to fulfill an order: the same services and rules as the choreography, directed by this service. */
@Configuration(proxyBeanMethods = false)
class OrderCheckout {

    /** A participant usually answers within milliseconds. */
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(15);

    @Bean
    SagaDefinition<Checkout> checkout() {
        return SagaDefinition.named(OrderFulfillment.ORCHESTRATED_TYPE, Checkout.class)
                .key(Checkout::orderId)
                .timeout(OrderFulfillment.DEADLINE)
                .step("create-order")
                .local((data, decision) -> decision.append(Order.TYPE, data.orderId(), data.orderCreated()))
                .undo((data, decision) -> OrderCancellation.cancel(data.orderId(), "checkout failed", decision))
                .step("reserve-stock")
                .command(Checkout::reserveStock)
                .repliedBy("reservations", "StockReserved")
                .refusedBy("StockReservationFailed")
                .timeout(REPLY_TIMEOUT)
                .undo(data -> new ReleaseStock(data.orderId()))
                .repliedBy("StockReleased", "ReservationWithdrawn")
                .step("charge-payment")
                .command(Checkout::chargePayment)
                .repliedBy("payments", "PaymentProcessed")
                .refusedBy("PaymentFailed")
                .timeout(REPLY_TIMEOUT)
                .undo(data -> new RefundPayment(data.orderId()))
                .repliedBy("PaymentRefunded", "PaymentWithdrawn")
                .step("confirm-order")
                .local((data, decision) -> OrderConfirmation.confirm(data.orderId(), decision))
                .build();
    }

    /** The data of the saga: the order, as the customer has placed it. */
    record Checkout(String orderId, String customerId, List<OrderLine> lineItems, BigDecimal total, Instant createdAt) {

        Checkout {
            lineItems = List.copyOf(lineItems);
        }

        static Checkout of(OrderCreated order) {
            return new Checkout(
                    order.orderId(), order.customerId(), order.lineItems(), order.total(), order.createdAt());
        }

        OrderCreated orderCreated() {
            return Order.create(orderId, customerId, lineItems, createdAt);
        }

        ReserveStock reserveStock() {
            return new ReserveStock(orderId, customerId, lineItems, total);
        }

        ChargePayment chargePayment() {
            return new ChargePayment(orderId, customerId, total);
        }
    }

    /** Asks inventory to reserve the stock of all lines, or of none. */
    record ReserveStock(String orderId, String customerId, List<OrderLine> lineItems, BigDecimal total) {

        ReserveStock {
            lineItems = List.copyOf(lineItems);
        }
    }

    /** Asks inventory to release the stock of an order, or to refuse its reservation from now on. */
    record ReleaseStock(String orderId) {}

    /** Asks payment to capture the total of an order. */
    record ChargePayment(String orderId, String customerId, BigDecimal total) {}

    /** Asks payment to refund an order, or to refuse its payment from now on. */
    record RefundPayment(String orderId) {}
}
