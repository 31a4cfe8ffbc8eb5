package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The four services together, as a caller meets them. */
@ExtendWith(SharedShop.class)
class ShopTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RunningShop shop;
    private final String customer;

    ShopTests(RunningShop shop) {
        this.shop = shop;
        this.customer = shop.newCustomer();
    }

    @Test
    void anOrderIsConfirmedPaidAndItsStockSold() {
        String tea = shop.newProduct("4.99", 10);

        ServiceResponse placed = shop.order.post("/api/orders", RunningShop.orderJson(customer, tea, 3));
        assertThat(placed.status()).isEqualTo(201);
        assertThat(placed.text("status")).isEqualTo("PENDING");
        assertThat(placed.text("sagaId")).isEqualTo("saga-" + placed.text("orderId"));
        assertThat(placed.body()).contains("\"total\":16.47");
        String order = placed.text("orderId");

        awaitStatus(order, "CONFIRMED");
        ServiceResponse payment = shop.payment.get("/api/payments/order/" + order);
        assertThat(payment.text("status")).isEqualTo("CAPTURED");
        assertThat(payment.body()).contains("\"amount\":16.47");
        awaitStock(tea, 7, 0);
        assertThat(eventTypes(shop.order.get("/api/orders/" + order + "/events")))
                .containsExactly("OrderCreated", "OrderConfirmed");
        assertThat(eventTypes(shop.payment.get("/api/payments/" + order + "/events")))
                .containsExactly("PaymentProcessed");
        assertThat(eventTypes(shop.inventory.get("/api/products/" + tea + "/events")))
                .containsExactly("ProductCreated", "StockAllocated", "StockSold");
    }

    @Test
    void reservesAllLinesOfAnOrderAndChargesOnce() {
        String tea = shop.newProduct("4.99", 10);
        String cup = shop.newProduct("12.50", 1);

        String order = place(tea, 3, cup, 1);

        awaitStatus(order, "CONFIRMED");
        awaitStock(tea, 7, 0);
        awaitStock(cup, 0, 0);
        assertThat(shop.payment.get("/api/payments/order/" + order).body()).contains("\"amount\":30.22");
        assertThat(shop.order.get("/api/orders/" + order).body())
                .contains("\"subtotal\":27.47", "\"tax\":2.75", "\"total\":30.22");
    }

    @Test
    void reservesNothingIfOneLineIsOutOfStock() {
        String tea = shop.newProduct("4.99", 10);
        String cup = shop.newProduct("12.50", 0);

        String order = place(tea, 3, cup, 1);

        ServiceResponse cancelled = awaitStatus(order, "CANCELLED");
        assertThat(cancelled.text("reason")).isEqualTo("insufficient stock: 1 of " + cup + " requested, 0 available");
        awaitStock(tea, 10, 0);
        assertThat(shop.payment.get("/api/payments/order/" + order).status()).isEqualTo(404);
    }

    @Test
    void cancelsOrderAndReleasesStockIfPaymentIsDeclined() {
        String boat = shop.newProduct("9999.99", 2);

        String order = place(boat, 1);

        ServiceResponse cancelled = awaitStatus(order, "CANCELLED");
        assertThat(cancelled.text("reason")).isEqualTo("payment of 10999.99 exceeds the limit of 10000.00");
        awaitStock(boat, 2, 0);
        assertThat(shop.payment.get("/api/payments/order/" + order).text("status"))
                .isEqualTo("FAILED");
    }

    @Test
    void refundsAndRestocksCancelledOrder() {
        String tea = shop.newProduct("4.99", 10);
        String order = place(tea, 3);
        awaitStatus(order, "CONFIRMED");
        awaitStock(tea, 7, 0);

        ServiceResponse cancelled =
                shop.order.patch("/api/orders/" + order + "/cancel", "{\"reason\": \"not wanted\"}");
        ServiceResponse repeated = shop.order.patch("/api/orders/" + order + "/cancel", "{\"reason\": \"really not\"}");

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("status")).isEqualTo("CANCELLED");
        assertThat(repeated).isEqualTo(cancelled);
        awaitStock(tea, 10, 0);
        await().atMost(TIMEOUT).until(() -> shop.payment
                .get("/api/payments/order/" + order)
                .text("status")
                .equals("REFUNDED"));
        assertThat(eventTypes(shop.order.get("/api/orders/" + order + "/events")))
                .containsExactly("OrderCreated", "OrderConfirmed", "OrderCancelled");
    }

    @Test
    void confirmsExactlyOneOfFiftyOrdersForTheLastItem() {
        String last = shop.newProduct("10.00", 1);

        awaitVisible(last);

        List<ServiceResponse> placed =
                concurrently(50, i -> shop.order.post("/api/orders", RunningShop.orderJson(customer, last, 1)));

        assertThat(placed).allMatch(response -> response.status() == 201);
        List<String> orders =
                placed.stream().map(response -> response.text("orderId")).toList();
        assertThat(orders).doesNotHaveDuplicates();
        await().atMost(TIMEOUT).until(() -> statuses(orders).stream().noneMatch("PENDING"::equals));
        assertThat(statuses(orders)).containsOnlyOnce("CONFIRMED");
        awaitStock(last, 0, 0);
        assertThat(orders.stream()
                        .filter(order ->
                                shop.payment.get("/api/payments/order/" + order).status() == 200))
                .hasSize(1);
    }

    @Test
    void createsOneOrderForConcurrentRequestsWithTheSameIdempotencyKey() {
        String tea = shop.newProduct("10.00", 100);
        String body = RunningShop.orderJson(customer, tea, 2);
        awaitVisible(tea);

        List<ServiceResponse> placed =
                concurrently(10, i -> shop.order.post("/api/orders", body, "Idempotency-Key", "key-" + tea));

        assertThat(placed).allMatch(response -> response.status() == 201);
        assertThat(placed.stream().map(response -> response.text("orderId")).distinct())
                .hasSize(1);
        awaitStatus(placed.get(0).text("orderId"), "CONFIRMED");
        awaitStock(tea, 98, 0);
    }

    @Test
    void returnsTheSameCustomerAndProductForTheSameIdempotencyKey() {
        String ada = "{\"email\":\"ada@example.org\",\"name\":\"Ada\",\"address\":\"1 Harbour Road\"}";
        String tea = "{\"sku\":\"TEA-1\",\"name\":\"Tea\",\"price\":4.99,\"quantityOnHand\":3}";

        ServiceResponse customer1 = shop.account.post("/api/customers", ada, "Idempotency-Key", "ada");
        ServiceResponse customer2 = shop.account.post("/api/customers", ada, "Idempotency-Key", "ada");
        ServiceResponse product1 = shop.inventory.post("/api/products", tea, "Idempotency-Key", "tea");
        ServiceResponse product2 = shop.inventory.post("/api/products", tea, "Idempotency-Key", "tea");

        assertThat(customer2.text("customerId")).isEqualTo(customer1.text("customerId"));
        assertThat(product2.text("productId")).isEqualTo(product1.text("productId"));
        assertThat(shop.account
                        .post("/api/customers", ada.replace("Ada", "Eve"), "Idempotency-Key", "ada")
                        .status())
                .isEqualTo(422);
        assertThat(shop.inventory
                        .post("/api/products", tea.replace("4.99", "0.99"), "Idempotency-Key", "tea")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void rejectsIdempotencyKeyOfADifferentOrder() {
        String tea = shop.newProduct("10.00", 100);
        String key = "other-" + tea;
        ServiceResponse first =
                shop.order.post("/api/orders", RunningShop.orderJson(customer, tea, 2), "Idempotency-Key", key);

        ServiceResponse other =
                shop.order.post("/api/orders", RunningShop.orderJson(customer, tea, 3), "Idempotency-Key", key);

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text("detail"))
                .isEqualTo("Idempotency-Key was already used for a different order, " + first.text("orderId")
                        + ". Repeat the original request or use a new key.");
    }

    @Test
    void parksBackorderUntilRestockAndReplay() {
        String lamp = shop.newProduct("20.00", 1, ", \"backorder\": true");
        String order = place(lamp, 2);
        String letter = awaitParked(order);
        assertThat(shop.inventory.get("/api/admin/dlq/" + letter).body()).contains("InsufficientStockException", order);
        assertThat(shop.order.get("/api/orders/" + order).text("status")).isEqualTo("PENDING");

        assertThat(replay(letter)).as("replay before the restock").isEqualTo("failed-again");
        ServiceResponse restocked =
                shop.inventory.post("/api/products/" + lamp + "/stock/replenish", "{\"quantity\": 5}");
        assertThat(restocked.number("availableQuantity")).isEqualTo(6);
        assertThat(replay(letter)).as("replay after the restock").isEqualTo("replayed");

        awaitStatus(order, "CONFIRMED");
        awaitStock(lamp, 4, 0);
        assertThat(eventTypes(shop.payment.get("/api/payments/" + order + "/events")))
                .containsExactly("PaymentProcessed");
    }

    @Test
    void listsOrdersNewestFirst() {
        String buyer = shop.newCustomer();
        String tea = shop.newProduct("1.00", 1);
        String confirmed = placeFor(buyer, tea, 1);
        awaitStatus(confirmed, "CONFIRMED");
        String cancelled = placeFor(buyer, tea, 1);
        awaitStatus(cancelled, "CANCELLED");

        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(listOrderIds("/api/orders/customer/" + buyer)).containsExactly(cancelled, confirmed);
            assertThat(listOrderIds("/api/orders?customerId=" + buyer + "&status=CONFIRMED"))
                    .containsExactly(confirmed);
            assertThat(listOrderIds("/api/orders?customerId=" + buyer + "&limit=1"))
                    .containsExactly(cancelled);
            assertThat(listOrderIds("/api/orders?limit=200")).containsSubsequence(cancelled, confirmed);
            assertThat(listOrderIds("/api/orders?status=CANCELLED&limit=200"))
                    .contains(cancelled)
                    .doesNotContain(confirmed);
        });
    }

    @Test
    void replenishesOnlyFlaggedProducts() {
        String plain = shop.newProduct("1.00", 5);
        String replenished = shop.newProduct("1.00", 5, ", \"replenish\": true");

        awaitStock(replenished, 1005, 0);
        awaitStock(plain, 5, 0);
        assertThat(shop.inventory.get("/api/products?limit=100").body()).contains(plain, replenished);
    }

    @Test
    void exposesReadinessMetricsAndApiDocs() {
        for (RunningShop.RunningService service : shop.services()) {
            assertThat(service.get("/actuator/health/readiness").text("status")).isEqualTo("UP");
            assertThat(service.get("/actuator/prometheus").body()).contains("outbox_pending");
            assertThat(service.get("/swagger-ui/index.html").status()).isEqualTo(200);
            assertThat(service.get("/v3/api-docs").body()).contains("/api/");
        }
    }

    private String place(Object... lines) {
        return placeFor(customer, lines);
    }

    private String placeFor(String buyer, Object... lines) {
        ServiceResponse placed = shop.order.post("/api/orders", RunningShop.orderJson(buyer, lines));
        assertThat(placed.status()).as(placed.body()).isEqualTo(201);
        return placed.text("orderId");
    }

    private ServiceResponse awaitStatus(String order, String status) {
        return await().atMost(TIMEOUT)
                .until(() -> shop.order.get("/api/orders/" + order), response -> response.text("status")
                        .equals(status));
    }

    /** Waits until the order service has the product, with orders whose quantity is too large to reserve anything. */
    private void awaitVisible(String product) {
        await().atMost(TIMEOUT)
                .until(() -> shop.order
                                .post("/api/orders", RunningShop.orderJson(customer, product, 10_000))
                                .status()
                        == 201);
    }

    private void awaitStock(String product, int onHand, int reserved) {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            ServiceResponse found = shop.inventory.get("/api/products/" + product);
            assertThat(found.number("quantityOnHand")).isEqualTo(onHand);
            assertThat(found.number("quantityReserved")).isEqualTo(reserved);
            assertThat(found.number("availableQuantity")).isEqualTo(onHand - reserved);
        });
    }

    /** @return the letter's id */
    private String awaitParked(String order) {
        return await().atMost(TIMEOUT).until(() -> findLetter(order), id -> !id.isEmpty());
    }

    private String findLetter(String order) {
        for (JsonNode entry : shop.inventory.get("/api/admin/dlq?limit=500").json()) {
            if (entry.path("key").asString("").equals(order)) {
                return entry.path("dlqEntryId").asString();
            }
        }
        return "";
    }

    private String replay(String letter) {
        return shop.inventory.post("/api/admin/dlq/" + letter + "/replay", "{}").text("status");
    }

    private List<String> statuses(List<String> orders) {
        return orders.stream()
                .map(order -> shop.order.get("/api/orders/" + order).text("status"))
                .toList();
    }

    private List<String> listOrderIds(String path) {
        return StreamSupport.stream(shop.order.get(path).json().spliterator(), false)
                .map(row -> row.path("orderId").asString())
                .toList();
    }

    private static List<String> eventTypes(ServiceResponse history) {
        List<String> types = new ArrayList<>();
        for (JsonNode event : history.json()) {
            types.add(event.path("eventType").asString());
        }
        return types;
    }

    private static List<ServiceResponse> concurrently(int count, IntFunction<ServiceResponse> call) {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<ServiceResponse>> calls = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(() -> call.apply(i)))
                    .toList();
            return calls.stream().map(ShopTests::join).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private static ServiceResponse join(Future<ServiceResponse> call) {
        try {
            return call.get();
        } catch (Exception e) {
            throw new AssertionError("a call failed", e);
        }
    }
}
