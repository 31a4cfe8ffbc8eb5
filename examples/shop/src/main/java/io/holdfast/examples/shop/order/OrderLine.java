package io.holdfast.examples.shop.order;

import java.math.BigDecimal;

/** A product, how many of it, and its price when it was ordered. */
public record OrderLine(String productId, int quantity, BigDecimal unitPrice) {

    BigDecimal amount() {
        return unitPrice.multiply(BigDecimal.valueOf(quantity));
    }
}
