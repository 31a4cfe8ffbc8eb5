package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.order.PlaceOrder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Who orders what: the same seed gives the same products and orders. A third of the orders are of several products, some
 * are too expensive to be paid, some are sent twice, and stock is too small for all of them.
 */
record ShoppingPlan(List<PlannedProduct> products, List<PlannedOrder> orders) {

    private static final List<String> NAMES = List.of(
            "Green tea",
            "Tea cup",
            "Tea pot",
            "Kettle",
            "Toaster",
            "Lamp",
            "Desk",
            "Office chair",
            "Monitor",
            "Laptop");
    private static final List<String> PRICES =
            List.of("4.99", "7.45", "23.90", "39.95", "45.50", "61.30", "349.00", "199.99", "289.95", "2199.90");
    private static final int LAPTOP = NAMES.size() - 1;
    /** More orders come from more customers: a row of the projection holds all orders of one. */
    private static final int ORDERS_PER_CUSTOMER = 20;

    private static final int MIN_CUSTOMERS = 50;
    /** Of a hundred that are wanted, so many are there. */
    private static final int STOCK_PERCENT = 70;

    static ShoppingPlan of(int orders, long seed) {
        Random random = new Random(seed);
        int customers = Math.max(MIN_CUSTOMERS, orders / ORDERS_PER_CUSTOMER);
        List<PlannedOrder> planned = IntStream.range(0, orders)
                .mapToObj(number -> order(number, seed, customers, random))
                .toList();
        List<PlannedProduct> products = IntStream.range(0, NAMES.size())
                .mapToObj(index -> new PlannedProduct(
                        id(index),
                        NAMES.get(index),
                        new BigDecimal(PRICES.get(index)),
                        (wanted(planned, id(index)) * STOCK_PERCENT + 99) / 100))
                .toList();
        return new ShoppingPlan(products, planned);
    }

    long sentTwice() {
        return orders.stream().filter(PlannedOrder::sentTwice).count();
    }

    private static PlannedOrder order(int number, long seed, int customers, Random random) {
        String customer = "customer-%02d".formatted(random.nextInt(customers));
        boolean sentTwice = random.nextInt(10) == 0;
        PlaceOrder request = new PlaceOrder(customer, items(random));
        return new PlannedOrder("demo-" + seed + "-" + number, request, sentTwice);
    }

    private static List<PlaceOrder.Item> items(Random random) {
        int dice = random.nextInt(100);
        if (dice < 6) {
            return List.of(new PlaceOrder.Item(id(LAPTOP), 5)); // above what payment accepts
        }
        int lines = dice < 40 ? 2 + random.nextInt(3) : 1;
        List<Integer> indexes =
                new ArrayList<>(IntStream.range(0, NAMES.size()).boxed().toList());
        Collections.shuffle(indexes, random);
        return indexes.subList(0, lines).stream()
                .map(index -> new PlaceOrder.Item(id(index), index == LAPTOP ? 1 : 1 + random.nextInt(3)))
                .toList();
    }

    private static int wanted(List<PlannedOrder> orders, String productId) {
        return orders.stream()
                .flatMap(order -> order.request().lineItems().stream())
                .filter(item -> item.productId().equals(productId))
                .mapToInt(PlaceOrder.Item::quantity)
                .sum();
    }

    private static String id(int index) {
        return "product-%02d".formatted(index + 1);
    }

    record PlannedProduct(String productId, String name, BigDecimal price, int quantityOnHand) {}

    /** @param sentTwice whether its sender is impatient and sends the same request again */
    record PlannedOrder(String idempotencyKey, PlaceOrder request, boolean sentTwice) {}
}
