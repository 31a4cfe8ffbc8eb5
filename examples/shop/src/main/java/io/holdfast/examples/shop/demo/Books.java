package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.inventory.Reservation;
import io.holdfast.examples.shop.order.CustomerOrders;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.examples.shop.order.OrderStatus;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the services have written down, each for itself.
 *
 * @param orders by order id
 * @param reservations by order id
 * @param customers the projection of the order service, by customer id
 * @param events how many events all logs have together
 * @param gaps what is wrong with the numbering of keys and logs
 */
record Books(
        Map<String, Order> orders,
        List<StockAccount> stock,
        List<StockMove> moves,
        Map<String, Reservation> reservations,
        List<Charge> charges,
        Map<String, CustomerOrders> customers,
        long events,
        List<String> gaps) {

    static final BigDecimal ZERO = new BigDecimal("0.00");

    Stream<Order> orders(OrderStatus status) {
        return orders.values().stream().filter(order -> order.status() == status);
    }

    /** What confirmed orders cost together. */
    BigDecimal confirmedTotal() {
        return orders(OrderStatus.CONFIRMED).map(Order::total).reduce(ZERO, BigDecimal::add);
    }

    BigDecimal captured() {
        return charges.stream().map(Charge::amount).reduce(ZERO, BigDecimal::add);
    }

    /** What customers have spent together, as the projection says. */
    BigDecimal spent() {
        return customers.values().stream().map(CustomerOrders::spent).reduce(ZERO, BigDecimal::add);
    }
}
