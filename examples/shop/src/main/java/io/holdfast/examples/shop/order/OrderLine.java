package io.holdfast.examples.shop.order;

import java.math.BigDecimal;

/** A product with its quantity and its price at the time of the order. */
public record OrderLine(String productId, int quantity, BigDecimal unitPrice) {

    BigDecimal amount() {
        return unitPrice.multiply(BigDecimal.valueOf(quantity));
    }
}
