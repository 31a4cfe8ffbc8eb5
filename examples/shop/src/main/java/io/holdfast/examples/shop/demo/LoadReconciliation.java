package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Checks the outcome of a load: every order completed, was paid once or not at all, and stock and payments match to the
 * cent.
 */
final class LoadReconciliation {

    private static final Duration COMPLETION_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration STOCK_TIMEOUT = Duration.ofSeconds(10);
    private static final BigDecimal ZERO = new BigDecimal("0.00");

    private final ShopClient shop;
    private final LoadStock stock;
    private final Duration stockTimeout;
    private final Map<String, JsonNode> endedOrders = new ConcurrentHashMap<>();
    private final List<String> discrepancies = Collections.synchronizedList(new ArrayList<>());
    private final List<Duration> fulfillmentTimes = new ArrayList<>();
    private BigDecimal captured = ZERO;
    private BigDecimal owed = ZERO;
    private int confirmed;
    private int cancelled;
    private Instant lastEndedAt = Instant.EPOCH;

    LoadReconciliation(ShopClient shop, LoadStock stock) {
        this(shop, stock, STOCK_TIMEOUT);
    }

    /** @param stockTimeout how long to wait until the stock of a product is as expected */
    LoadReconciliation(ShopClient shop, LoadStock stock, Duration stockTimeout) {
        this.shop = shop;
        this.stock = stock;
        this.stockTimeout = stockTimeout;
    }

    /**
     * Waits until every order has completed, then collects the discrepancies.
     *
     * @param open receives the number of incomplete orders after each poll
     */
    void reconcile(Collection<LoadOrder> orders, Consumer<Integer> open) throws InterruptedException {
        awaitAllEnded(orders, open);
        Set<String> ids = new HashSet<>();
        Map<String, Integer> sold = new HashMap<>();
        for (LoadOrder order : orders) {
            if (!ids.add(order.orderId())) {
                discrepancies.add("order " + order.orderId() + " was returned for two requests");
            }
            JsonNode found = endedOrders.get(order.orderId());
            if (found != null) {
                checkOrder(order, found, sold);
            }
        }
        orders.parallelStream().forEach(order -> {
            JsonNode found = endedOrders.get(order.orderId());
            if (found != null) {
                checkPayment(order, isConfirmed(found));
            }
        });
        for (Map.Entry<String, LoadStock.StockItem> item : stock.items().entrySet()) {
            checkStock(item.getKey(), item.getValue(), sold.getOrDefault(item.getKey(), 0));
        }
        if (captured.compareTo(owed) != 0) {
            discrepancies.add("confirmed orders total " + owed + ", but " + captured + " was captured");
        }
    }

    private void awaitAllEnded(Collection<LoadOrder> orders, Consumer<Integer> progress) throws InterruptedException {
        Instant deadline = Instant.now().plus(COMPLETION_TIMEOUT);
        List<LoadOrder> open = new ArrayList<>(orders);
        while (!open.isEmpty()) {
            open.parallelStream().forEach(this::pollOrder);
            open.removeIf(order -> endedOrders.containsKey(order.orderId()));
            progress.accept(open.size());
            if (!open.isEmpty()) {
                if (Instant.now().isAfter(deadline)) {
                    open.forEach(order -> discrepancies.add("order " + order.orderId() + " did not complete within "
                            + COMPLETION_TIMEOUT.toSeconds() + " s"));
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(250);
            }
        }
    }

    private void pollOrder(LoadOrder order) {
        try {
            JsonNode body = shop.order(order.orderId()).body();
            if (!"PENDING".equals(body.path("status").asString())) {
                endedOrders.put(order.orderId(), body);
            }
        } catch (ShopClient.UnreachableException | UnexpectedOutcomeException e) {
            // polled again: a service that is starting or has lost its database may not respond
        }
    }

    private static boolean isConfirmed(JsonNode order) {
        return "CONFIRMED".equals(order.path("status").asString());
    }

    private void checkOrder(LoadOrder order, JsonNode found, Map<String, Integer> sold) {
        BigDecimal total = stock.total(order.planned().lines());
        boolean isConfirmed = isConfirmed(found);
        Instant end = Instant.parse(found.path("updatedAt").asString());
        fulfillmentTimes.add(
                Duration.between(Instant.parse(found.path("createdAt").asString()), end));
        lastEndedAt = end.isAfter(lastEndedAt) ? end : lastEndedAt;
        if (isConfirmed != order.planned().fulfillable()) {
            discrepancies.add(
                    "order " + order.orderId() + " is " + found.path("status").asString() + " instead of "
                            + (isConfirmed ? "CANCELLED" : "CONFIRMED") + ", reason " + found.path("reason"));
        }
        if (found.path("total").decimalValue().compareTo(total) != 0) {
            discrepancies.add(
                    "order " + order.orderId() + " has total " + found.path("total") + " instead of " + total);
        }
        if (isConfirmed) {
            confirmed++;
            owed = owed.add(total);
            order.planned().lines().forEach(line -> sold.merge(line.productId(), line.quantity(), Integer::sum));
        } else {
            cancelled++;
        }
    }

    private void checkPayment(LoadOrder order, boolean isConfirmed) {
        JsonNode payment = shop.payment(order.orderId()).map(ShopResponse::body).orElseGet(MissingNode::getInstance);
        boolean isCaptured = "CAPTURED".equals(payment.path("status").asString(""));
        if (isCaptured) {
            addCaptured(payment.path("amount").decimalValue());
            List<String> history = shop.history(ShopService.PAYMENT, "payments", order.orderId());
            if (!history.equals(List.of("PaymentProcessed"))) {
                discrepancies.add("payment of order " + order.orderId() + " has history " + history);
            }
        }
        if (isCaptured != isConfirmed) {
            discrepancies.add("order " + order.orderId() + " is " + (isConfirmed ? "confirmed" : "cancelled")
                    + ", but its payment is " + payment);
        }
    }

    private synchronized void addCaptured(BigDecimal amount) {
        captured = captured.add(amount);
    }

    /**
     * Polls, because inventory handles OrderConfirmed and OrderCancelled a moment after the order service commits them.
     */
    private void checkStock(String id, LoadStock.StockItem item, int sold) throws InterruptedException {
        Instant deadline = Instant.now().plus(stockTimeout);
        int expected = item.onHand() - sold;
        JsonNode found = shop.product(id).body();
        while (!hasStock(found, expected) && Instant.now().isBefore(deadline)) {
            TimeUnit.MILLISECONDS.sleep(100);
            found = shop.product(id).body();
        }
        if (!hasStock(found, expected)) {
            discrepancies.add("product " + item.sku() + " has " + found.path("quantityOnHand") + " on hand and "
                    + found.path("quantityReserved") + " reserved instead of " + expected + " and 0");
        }
    }

    private static boolean hasStock(JsonNode product, int onHand) {
        return product.path("quantityOnHand").asInt() == onHand
                && product.path("quantityReserved").asInt() == 0;
    }

    int confirmed() {
        return confirmed;
    }

    int cancelled() {
        return cancelled;
    }

    BigDecimal captured() {
        return captured;
    }

    /** Returns the time from creation to the last event of each order, by the order service's clock. */
    List<Duration> fulfillmentTimes() {
        return fulfillmentTimes;
    }

    Instant lastEndedAt() {
        return lastEndedAt;
    }

    /** Returns everything that does not match. */
    List<String> discrepancies() {
        return discrepancies;
    }
}
