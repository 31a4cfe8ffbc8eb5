package io.holdfast.examples.shop.order;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The price of an order. All amounts have two decimals. The tax is rounded once, for the whole order. */
public record OrderTotal(BigDecimal subtotal, BigDecimal tax, BigDecimal total) {

    public static final BigDecimal TAX_RATE = new BigDecimal("0.10");
    public static final BigDecimal ZERO = new BigDecimal("0.00");

    public static OrderTotal of(List<OrderLine> lines) {
        BigDecimal subtotal = lines.stream()
                .map(OrderLine::amount)
                .reduce(ZERO, BigDecimal::add)
                .setScale(2, RoundingMode.UNNECESSARY);
        BigDecimal tax = subtotal.multiply(TAX_RATE).setScale(2, RoundingMode.HALF_UP);
        return new OrderTotal(subtotal, tax, subtotal.add(tax));
    }
}
