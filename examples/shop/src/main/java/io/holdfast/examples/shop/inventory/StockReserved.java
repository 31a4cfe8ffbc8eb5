package io.holdfast.examples.shop.inventory;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stock of all lines was reserved.
 *
 * @param items the quantities by product id
 * @param total the total of the whole order, for the payment service
 */
public record StockReserved(String orderId, String customerId, Map<String, Integer> items, BigDecimal total)
        implements ReservationEvent {

    public StockReserved {
        items = new TreeMap<>(items); // sorted, so that every run produces the same JSON
    }
}
