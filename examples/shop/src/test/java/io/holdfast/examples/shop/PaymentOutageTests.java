package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The payment provider fails, as an operator sees it: in the dead letters and in the metrics of the payment service. */
@ExtendWith(SharedShop.class)
class PaymentOutageTests {

    /** The breaker stays open for 15 s, and closes after three trial calls. */
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private static final String NAME = "name=\"payment-processing\"";
    private static final int ENOUGH_TO_OPEN = 12;

    private final RunningShop shop;
    private final String customer;
    private final String tea;

    PaymentOutageTests(RunningShop shop) {
        this.shop = shop;
        this.customer = shop.newCustomer();
        this.tea = shop.newProduct("1.00", 1_000);
    }

    @AfterEach
    void restoreProvider() {
        fail(false, false);
    }

    @Test
    void eventsAreHeldWhileTheProviderIsDownAndDrainWhenItResponds() {
        double notRetried = metric("resilience4j_retry_calls_total", "kind=\"successful_without_retry\"");
        fail(true, true);

        List<String> orders = place(ENOUGH_TO_OPEN);
        await().atMost(TIMEOUT).until(() -> state("open"), value -> value == 1);
        List<String> late = place(3);
        orders.addAll(late);

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(held()).containsOnlyKeys(orders));
        assertThat(held().values()).allSatisfy(entry -> {
            assertThat(entry.path("heldBy").asString()).isEqualTo("payment-processing");
            assertThat(entry.path("attempts").intValue()).isLessThan(5);
        });
        assertThat(attempts(late)).as("the provider was not called").hasSize(3).containsOnly(0);
        assertThat(metric("resilience4j_circuitbreaker_calls_seconds_count", "kind=\"failed\""))
                .isGreaterThanOrEqualTo(5);
        assertThat(metric("resilience4j_circuitbreaker_failure_rate")).isGreaterThanOrEqualTo(60);
        assertThat(metric("resilience4j_circuitbreaker_not_permitted_calls_total"))
                .isPositive();
        assertThat(metric("resilience4j_retry_calls_total", "kind=\"failed_with_retry\""))
                .as("no event has used up its attempts")
                .isZero();

        fail(false, false);

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(statuses(orders)).containsOnly("CONFIRMED"));
        await().atMost(TIMEOUT).until(() -> state("closed"), value -> value == 1);
        assertThat(held()).isEmpty();
        assertThat(metric("resilience4j_retry_calls_total", "kind=\"successful_without_retry\"") - notRetried)
                .as("events that were HELD have spent no attempt")
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void businessErrorsDoNotOpenTheBreaker() {
        double ignored = metric("framework_resilience_retry_ignored_total");
        fail(true, false);

        List<String> orders = place(ENOUGH_TO_OPEN);

        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(entries("PENDING")).containsOnlyKeys(orders));
        assertThat(state("closed")).isEqualTo(1);
        assertThat(metric("framework_resilience_retry_ignored_total") - ignored).isEqualTo(ENOUGH_TO_OPEN);
        fail(false, false);
        entries("PENDING")
                .values()
                .forEach(entry -> shop.payment.post(
                        "/api/admin/dlq/" + entry.path("dlqEntryId").asString() + "/replay", "{}"));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(statuses(orders)).containsOnly("CONFIRMED"));
    }

    @Test
    void declinedPaymentsDoNotOpenTheBreaker() {
        String boat = shop.newProduct("9999.00", ENOUGH_TO_OPEN);
        List<String> orders = new ArrayList<>();
        for (int order = 0; order < ENOUGH_TO_OPEN; order++) {
            orders.add(place(boat));
        }

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(statuses(orders)).containsOnly("CANCELLED"));

        assertThat(state("closed")).isEqualTo(1);
    }

    /** Makes the payment provider fail: as an outage, or as a business error. */
    private void fail(boolean enabled, boolean outage) {
        ServiceResponse response = shop.payment.post(
                "/api/admin/fault?component=payment-processing&enabled=" + enabled
                        + (enabled ? "&failureMessage=connection+refused&retryable=" + outage : ""),
                "");
        assertThat(response.status()).as(response.body()).isEqualTo(200);
    }

    private List<String> place(int count) {
        List<String> orders = new ArrayList<>();
        for (int order = 0; order < count; order++) {
            orders.add(place(tea));
        }
        return orders;
    }

    private String place(String product) {
        ServiceResponse placed = await().atMost(TIMEOUT)
                .until(
                        () -> shop.order.post("/api/orders", RunningShop.orderJson(customer, product, 1)),
                        response -> response.status() == 201); // the order service may not know the product yet
        return placed.text("orderId");
    }

    private List<Integer> attempts(List<String> orders) {
        return held().entrySet().stream()
                .filter(entry -> orders.contains(entry.getKey()))
                .map(entry -> entry.getValue().path("attempts").intValue())
                .toList();
    }

    private Map<String, JsonNode> held() {
        return entries("HELD");
    }

    /** Returns the entries of the payment service in this state, by order. */
    private Map<String, JsonNode> entries(String status) {
        Map<String, JsonNode> entries = new TreeMap<>();
        for (JsonNode entry :
                shop.payment.get("/api/admin/dlq?limit=500&status=" + status).json()) {
            entries.put(entry.path("key").asString(), entry);
        }
        return entries;
    }

    private List<String> statuses(List<String> orders) {
        return orders.stream()
                .map(order -> shop.order.get("/api/orders/" + order).text("status"))
                .toList();
    }

    private double state(String state) {
        return metric("resilience4j_circuitbreaker_state", "state=\"" + state + "\"");
    }

    /** Returns the value of a metric of the breaker, as Prometheus scrapes it. */
    private double metric(String name, String... tags) {
        return shop.payment
                .get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains(NAME))
                .filter(line -> Stream.of(tags).allMatch(line::contains))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .map(Double::parseDouble)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "/actuator/prometheus has no " + name + " of payment-processing with " + List.of(tags)));
    }
}
