package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** Follows docs/getting-started.md, from the first start to the replay. */
class GettingStartedTests {

    @TempDir
    private Path directory;

    private ConfigurableApplicationContext application;
    private RestClient http;

    @BeforeEach
    void start() {
        application = SpringApplication.run(
                OrdersApplication.class,
                "--spring.application.name=orders",
                "--server.port=0",
                "--framework.h2.directory=" + directory);
        http = RestClient.create(
                "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port"));
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void placesAnOrderThatIsShippedOnce() {
        String order = place("key-1", 3);

        awaitShipped(order);
        assertThat(place("key-1", 3)).isEqualTo(order);
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        get("/products/lamp/sold").path("quantity").asInt())
                .isEqualTo(3));
    }

    @Test
    void keepsOrdersAcrossARestart() {
        String order = place("key-2", 5);
        awaitShipped(order);

        stop();
        start();

        assertThat(get("/orders/" + order).toString())
                .isEqualTo("{\"product\":\"lamp\",\"quantity\":5,\"status\":\"SHIPPED\"}");
        assertThat(get("/actuator/health/readiness").path("status").asString()).isEqualTo("UP");
    }

    @Test
    void parksFailedEventUntilItIsReplayed() {
        String order = place("key-3", 1_000);
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        get("/api/admin/dlq/count").path("count").asInt())
                .isEqualTo(1));
        JsonNode letter = get("/api/admin/dlq").get(0);
        assertThat(letter.toString()).contains("no carrier takes 1000");

        application.getBean(Carriers.class).charter(1_000);
        JsonNode replayed = http.post()
                .uri("/api/admin/dlq/{id}/replay", letter.path("dlqEntryId").asString())
                .retrieve()
                .body(JsonNode.class);

        assertThat(replayed.path("status").asString()).isEqualTo("replayed");
        awaitShipped(order);
        assertThat(get("/api/admin/dlq/count").path("count").asInt()).isZero();
    }

    private String place(String key, int quantity) {
        return http.post()
                .uri("/orders")
                .header("Idempotency-Key", key)
                .body(Map.of("product", "lamp", "quantity", quantity))
                .retrieve()
                .body(JsonNode.class)
                .path("orderId")
                .asString();
    }

    private void awaitShipped(String order) {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        get("/orders/" + order).path("status").asString())
                .isEqualTo("SHIPPED"));
    }

    private JsonNode get(String path) {
        return http.get().uri(path).retrieve().body(JsonNode.class);
    }
}
