package io.holdfast.examples.shop.demo;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The products of a load with their initial stock. Computes order totals independently of the shop.
 *
 * @param items the products by id
 */
record LoadStock(Map<String, StockItem> items) {

    private static final BigDecimal TAX = new BigDecimal("0.10");

    /** @param onHand the stock when the load started */
    record StockItem(String sku, BigDecimal price, int onHand) {}

    BigDecimal total(List<ShopClient.Line> lines) {
        BigDecimal net = lines.stream()
                .map(line -> Objects.requireNonNull(items.get(line.productId()))
                        .price()
                        .multiply(BigDecimal.valueOf(line.quantity())))
                .reduce(new BigDecimal("0.00"), BigDecimal::add);
        return net.add(net.multiply(TAX).setScale(2, RoundingMode.HALF_UP));
    }
}
