package io.holdfast.examples.shop.inventory;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that was ordered is kept for the order.
 *
 * @param items quantities by product
 * @param total what is to be paid for the whole order, passed on to payment
 */
public record StockReserved(String orderId, String customerId, Map<String, Integer> items, BigDecimal total)
        implements ReservationEvent {

    public StockReserved {
        items = new TreeMap<>(items); // in a fixed order, so that the JSON is the same in every run
    }
}
