package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.web.AdminClient.Response;
import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Base class of the API tests: one running service on an H2 file, without letters when a test starts. */
@SpringBootTest(
        classes = WarehouseApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.application.name=warehouse",
            "framework.h2.directory=target/warehouse-${random.uuid}",
            "framework.fault-injection.enabled=true",
            // Longer than any test, so that letters stay RETRYING.
            "framework.resilience.retry.wait-duration=10m",
            "server.address=127.0.0.1"
        })
abstract class WarehouseTest {

    static final String DLQ = "/api/admin/dlq";

    /** All parked letters, also those that are retried automatically. */
    static final String PARKED = DLQ + "?limit=500&status=PENDING,RETRYING,HELD";

    @Autowired
    Warehouse warehouse;

    @Autowired
    HoldfastService service;

    @LocalServerPort
    int port;

    AdminClient client;

    @BeforeEach
    final void emptyWarehouse() {
        client = new AdminClient(port);
        client.post("/api/admin/fault?enabled=false");
        Response remaining = client.get(PARKED);
        remaining.all("dlqEntryId").forEach(id -> client.delete(DLQ + "/" + id));
        warehouse.broken.clear();
        warehouse.failing.clear();
        warehouse.evicted.clear();
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> client.get(PARKED).total().equals("0"));
    }

    /** Returns the key of an order that no other test uses. */
    static String newKey() {
        return "o-" + UUID.randomUUID();
    }

    /**
     * Orders items, the first of which is broken, and waits until all are parked.
     *
     * @return the entry ids, in order
     */
    List<String> park(String key, String... items) {
        warehouse.broken.add(items[0]);
        Warehouse.order(service, key, items);
        return awaitParked(key, items.length);
    }

    List<String> awaitParked(String key, int count) {
        String list = PARKED + "&sagaId=saga-" + key;
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> client.get(list).total().equals(Integer.toString(count)));
        return client.get(list).all("dlqEntryId");
    }

    void awaitNoneParked(String key) {
        awaitParked(key, 0);
    }

    Response inspect(String id) {
        return client.get(DLQ + "/" + id);
    }

    Response replay(String id) {
        return client.post(DLQ + "/" + id + "/replay");
    }

    int packed(String key, String item) {
        return Warehouse.packed(service, key, item);
    }

    static void assertProblem(Response response, int status) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.contentType()).isEqualTo("application/problem+json");
        assertThat(response.json().path("status").asInt()).isEqualTo(status);
        assertThat(response.field("title")).isNotBlank();
    }
}
