package io.holdfast.examples.shop.demo;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The customers and products of one load. They belong to this load only, so that it can be reconciled exactly. One
 * order in ten exceeds the payment limit, one in ten contains a product that is out of stock.
 */
final class LoadProducts {

    private static final int PRODUCTS = 20;
    private static final int CUSTOMERS = 20;
    private static final Duration VISIBILITY_TIMEOUT = Duration.ofSeconds(30);
    private static final int AMPLE_STOCK = 1_000_000;
    private static final BigDecimal UNPAYABLE_PRICE = new BigDecimal("9500.00");

    private final Map<String, LoadStock.StockItem> stockItems = new LinkedHashMap<>();
    private final List<String> products = new ArrayList<>();
    private final List<String> customers = new ArrayList<>();
    private final String unpayableProduct;
    private final String outOfStockProduct;

    private LoadProducts(ShopClient shop, String runId) {
        for (int i = 0; i < PRODUCTS; i++) {
            BigDecimal price = new BigDecimal("1.00").add(new BigDecimal("3.37").multiply(BigDecimal.valueOf(i)));
            products.add(createProduct(shop, "load-" + runId + "-" + i, price, AMPLE_STOCK));
        }
        this.unpayableProduct = createProduct(shop, "load-" + runId + "-unpayable", UNPAYABLE_PRICE, AMPLE_STOCK);
        this.outOfStockProduct = createProduct(shop, "load-" + runId + "-missing", new BigDecimal("5.00"), 0);
        for (int i = 0; i < CUSTOMERS; i++) {
            customers.add(shop.createCustomer("load-" + runId + "-" + i + "@example.org", "Customer " + i));
        }
    }

    /**
     * Creates them and waits until the order service accepts orders for all of them: its views are eventually
     * consistent.
     */
    static LoadProducts create(ShopClient shop, String runId) throws InterruptedException {
        LoadProducts created = new LoadProducts(shop, runId);
        List<ShopClient.Line> oneOfEach = created.stockItems.keySet().stream()
                .map(product -> new ShopClient.Line(product, 1))
                .toList();
        for (String customer : created.customers) {
            created.awaitVisible(shop, "load-" + runId + "-known-" + customer, customer, oneOfEach);
        }
        return created;
    }

    /** The probe order contains the product that is out of stock, so it reserves nothing. */
    private void awaitVisible(ShopClient shop, String key, String customer, List<ShopClient.Line> lines)
            throws InterruptedException {
        Instant deadline = Instant.now().plus(VISIBILITY_TIMEOUT);
        while (!tryPlaceOrder(shop, key, customer, lines)) {
            if (Instant.now().isAfter(deadline)) {
                throw new UnexpectedOutcomeException(
                        "the order service still rejects orders for customers and products created "
                                + VISIBILITY_TIMEOUT.toSeconds() + " s ago");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static boolean tryPlaceOrder(ShopClient shop, String key, String customer, List<ShopClient.Line> lines) {
        try {
            return shop.placeOrder(key, customer, lines).join().status() == 201;
        } catch (CompletionException e) {
            return false; // the service may be restarting
        }
    }

    private String createProduct(ShopClient shop, String sku, BigDecimal price, int quantity) {
        String id = shop.createProduct(sku, sku, price, quantity, false);
        stockItems.put(id, new LoadStock.StockItem(sku, price, quantity));
        return id;
    }

    LoadStock stock() {
        return new LoadStock(stockItems);
    }

    /** Returns the order with this number. Deterministic. */
    PlannedOrder planOrder(int number) {
        SplittableRandom random = new SplittableRandom(number);
        String customer = customers.get(random.nextInt(CUSTOMERS));
        int product = random.nextInt(PRODUCTS);
        ShopClient.Line first = new ShopClient.Line(products.get(product), 1 + random.nextInt(3));
        return switch (number % 10) {
            case 3 -> new PlannedOrder(customer, List.of(first, new ShopClient.Line(unpayableProduct, 1)), false);
            case 7 -> new PlannedOrder(customer, List.of(first, new ShopClient.Line(outOfStockProduct, 1)), false);
            case 1, 5 ->
                new PlannedOrder(
                        customer, List.of(first, new ShopClient.Line(products.get((product + 1) % PRODUCTS), 1)), true);
            default -> new PlannedOrder(customer, List.of(first), true);
        };
    }

    /** @param fulfillable whether the order must become CONFIRMED; otherwise it must become CANCELLED */
    record PlannedOrder(String customer, List<ShopClient.Line> lines, boolean fulfillable) {}
}
