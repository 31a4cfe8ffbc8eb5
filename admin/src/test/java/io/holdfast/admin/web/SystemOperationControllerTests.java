package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.operation.SystemOperation;
import io.holdfast.admin.web.AdminClient.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SystemOperationControllerTests extends WarehouseTest {

    private static final String ADMIN = "/api/admin/";
    private static final String SHIPPING = ADMIN + "processors/warehouse/shipping/";

    @BeforeEach
    void awaitSegments() {
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> service.processor("shipping").status().isClaimed());
    }

    @AfterEach
    void resume() {
        service.processor("shipping").resume();
    }

    private Response post(String path, String body) {
        return client.post(path, UUID.randomUUID().toString(), body);
    }

    private boolean isPaused() {
        return client.get(ADMIN + "processors")
                .json()
                .valueStream()
                .filter(processor -> processor.path("name").asString().equals("shipping"))
                .allMatch(processor -> processor.path("mode").asString().equals("PAUSED"));
    }

    @Test
    void pausesAProcessorAndShowsTheReceipt() {
        Response paused = post(SHIPPING + "pause", "{\"reason\":\"maintenance, OPS-7\"}");

        assertThat(paused.status()).as(paused.text()).isEqualTo(200);
        assertThat(paused.field("status")).isEqualTo("applied");
        assertThat(paused.field("target")).isEqualTo("processor shipping");
        assertThat(paused.field("outcome")).isEqualTo("APPLIED");
        Response receipt = client.get(ADMIN + "receipts/" + paused.field("receiptId"));
        assertThat(receipt.field("kind")).isEqualTo("PAUSE");
        assertThat(receipt.field("state")).isEqualTo("DONE");
        assertThat(receipt.field("reason")).isEqualTo("maintenance, OPS-7");
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(this::isPaused);
    }

    @Test
    void aRepeatedRequestReturnsTheStoredOutcome() {
        String key = UUID.randomUUID().toString();

        Response one = client.post(SHIPPING + "pause", key, "{}");
        Response resumed = post(SHIPPING + "resume", "{}");
        Response again = client.post(SHIPPING + "pause", key, "{}");

        assertThat(resumed.status()).isEqualTo(200);
        assertThat(again.field("receiptId")).isEqualTo(one.field("receiptId"));
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> !isPaused());
    }

    @Test
    void namesTheOperationsIfOneIsUnknown() {
        Response response = post(SHIPPING + "stop", "{}");

        assertProblem(response, 400);
        assertThat(response.field("code")).isEqualTo("unknown-operation");
        assertThat(response.field("detail")).contains("pause, resume, reset");
    }

    @Test
    void refusesUnknownFields() {
        Response response = post(SHIPPING + "pause", "{\"segment\":1}");

        assertProblem(response, 400);
        assertThat(response.field("detail")).contains("segment is not a field");
        assertProblem(post(SHIPPING + "split", "{\"segment\":[1]}"), 400);
        assertProblem(client.delete(ADMIN + "groups/gone/reports?fource=true"), 400);
    }

    @Test
    void refusesAResetThatWouldRepeatEffects() {
        Response response = post(SHIPPING + "reset", "{\"from\":\"now\"}");

        assertProblem(response, 409);
        assertThat(response.field("code")).isEqualTo("refused");
        assertThat(response.field("detail")).contains("not declared resettable");
        assertThat(response.field("receiptId")).isNotBlank();
    }

    @Test
    void deletesAGroupWhoseNameHasASlash() {
        service.consumerGroups().register("gone/reports", "orders");

        Response deleted = client.delete(ADMIN + "groups/gone/reports?reason=retired");

        assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
        assertThat(deleted.field("target")).isEqualTo("group gone/reports");
        assertThat(client.get(ADMIN + "groups").all("name")).doesNotContain("gone/reports");
        assertProblem(client.delete(ADMIN + "groups/gone/reports"), 404);
    }

    @Test
    void opensABreakerOnEachReplica() {
        service.resilience().executeRunnable("carrier", () -> {});

        Response opened = post(ADMIN + "breakers/warehouse/carrier/open", "{}");

        assertThat(opened.status()).as(opened.text()).isEqualTo(200);
        assertThat(opened.json().path("items").path(0).path("durable").asBoolean(true))
                .isFalse();
        assertThat(client.get(ADMIN + "breakers").all("state")).contains("FORCED_OPEN");
        assertThat(post(ADMIN + "breakers/warehouse/carrier/close", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void retriesTheOutbox() {
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> service.publisher().status().publishing());

        Response retried = post(ADMIN + "outbox/warehouse/retry", "{}");

        assertThat(retried.status()).as(retried.text()).isEqualTo(200);
        assertThat(retried.field("detail")).startsWith("published up to position");
    }

    @Test
    void refusesDecisionsAboutUnknownSagas() {
        Response response = post("/api/sagas/nothing/compensate", "{}");

        assertProblem(response, 404);
        assertThat(response.field("code")).isEqualTo("saga-unknown");
    }

    @Test
    void theGuideListsEveryOperation() throws IOException {
        String guide = Files.readString(Path.of("../docs/guides/operating-holdfast.md"));

        assertThat(SystemOperation.values()).allSatisfy(operation -> {
            assertThat(guide).contains("`" + operation.kind() + "`");
            assertThat(operation.fields()).allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
        });
    }
}
