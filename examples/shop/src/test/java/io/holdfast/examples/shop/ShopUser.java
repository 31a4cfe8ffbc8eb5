package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Places orders and checks what became of them, as a caller of the REST APIs. */
final class ShopUser {

    /** Includes the time that the directory needs to forget a service, on a loaded machine. */
    static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final RunningShop shop;
    private final String customer;

    ShopUser(RunningShop shop) {
        this.shop = shop;
        this.customer = shop.newCustomer();
    }

    String place(String product, int quantity) {
        ServiceResponse placed = await().atMost(TIMEOUT)
                .until(
                        () -> shop.order.post("/api/orders", RunningShop.orderJson(customer, product, quantity)),
                        response -> response.status() == 201); // the order service may not know the product yet
        return placed.text("orderId");
    }

    void cancel(String order, String reason) {
        ServiceResponse response =
                shop.order.patch("/api/orders/" + order + "/cancel", "{\"reason\": \"" + reason + "\"}");
        assertThat(response.status()).as(response.body()).isEqualTo(200);
    }

    ServiceResponse awaitOrder(String order, String status) {
        return await().atMost(TIMEOUT)
                .until(() -> shop.order.get("/api/orders/" + order), response -> response.text("status")
                        .equals(status));
    }

    void awaitStock(String product, int onHand, int reserved) {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            ServiceResponse found = shop.inventory.get("/api/products/" + product);
            assertThat(found.number("quantityOnHand")).isEqualTo(onHand);
            assertThat(found.number("quantityReserved")).isEqualTo(reserved);
        });
    }

    void awaitPayment(String order, String status) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(payment(order)).isEqualTo(status));
    }

    /** Returns the status of a payment, or "none". */
    String payment(String order) {
        ServiceResponse found = shop.payment.get("/api/payments/order/" + order);
        return found.status() == 404 ? "none" : found.text("status");
    }

    ServiceResponse saga(String order) {
        return shop.order.get("/api/sagas/saga-" + order);
    }

    /** Waits for the status of a saga and of its steps, by event type. */
    ServiceResponse awaitSaga(String order, String status, String... steps) {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            ServiceResponse saga = saga(order);
            assertThat(saga.text("status")).as(saga.body()).isEqualTo(status);
            assertThat(steps(saga).values()).as(saga.body()).containsExactly(steps);
        });
        return saga(order);
    }

    /** Returns the status of the steps, by number and event type. */
    static Map<String, String> steps(ServiceResponse saga) {
        Map<String, String> steps = new TreeMap<>();
        for (JsonNode step : saga.json().path("steps")) {
            steps.put(
                    step.path("stepNumber").asInt() + " " + step.path("name").asString(),
                    step.path("status").asString());
        }
        return steps;
    }

    /** Returns the types of the events that the saga awaits. */
    static List<String> expected(ServiceResponse saga) {
        List<String> types = new ArrayList<>();
        saga.json()
                .path("expected")
                .forEach(event -> types.add(event.path("eventType").asString()));
        return types;
    }
}
