package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.web.AdminClient.Response;
import io.holdfast.wire.Announcement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SystemControllerTests extends WarehouseTest {

    private static final String ADMIN = "/api/admin/";

    private static List<String> names(JsonNode node) {
        return node.propertyStream().map(java.util.Map.Entry::getKey).toList();
    }

    @Test
    void listsProcessors() {
        await().atMost(Warehouse.AWAIT_TIMEOUT).untilAsserted(() -> {
            Response response = client.get(ADMIN + "processors");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.all("name")).contains("shipping", "labels");
            assertThat(response.all("service")).containsOnly("warehouse");
            assertThat(names(response.json().path(0)))
                    .containsExactly(
                            "service",
                            "name",
                            "mode",
                            "generation",
                            "components",
                            "lag",
                            "parked",
                            "segments",
                            "problems");
            assertThat(names(response.json().path(0).path("segments").path(0)))
                    .containsExactly("number", "mask", "owner", "lag", "ahead", "positions", "parked", "failures");
        });
    }

    @Test
    void listsStreamsAndGroups() {
        Warehouse.order(service, newKey(), "pen");
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .untilAsserted(() -> assertThat(client.get(ADMIN + "groups").all("name"))
                        .containsExactly("warehouse/labels", "warehouse/shipping"));

        Response streams = client.get(ADMIN + "streams?service=warehouse");

        assertThat(streams.all("name")).contains("orders");
        JsonNode orders = streams.json()
                .valueStream()
                .filter(stream -> stream.path("name").asString().equals("orders"))
                .findFirst()
                .orElseThrow();
        assertThat(names(orders)).containsExactly("service", "name", "log", "epoch", "position", "eventId", "readers");
        assertThat(orders.path("readers").toString()).isEqualTo("[\"warehouse/labels\",\"warehouse/shipping\"]");
    }

    @Test
    void listsTheOutbox() {
        await().atMost(Warehouse.AWAIT_TIMEOUT).untilAsserted(() -> {
            Response response = client.get(ADMIN + "outbox");
            assertThat(response.json().size()).isEqualTo(1);
            assertThat(names(response.json().path(0)))
                    .containsExactly("service", "publisher", "position", "pending", "failed");
        });
    }

    @Test
    void listsBreakers() {
        service.resilience().executeRunnable("carrier", () -> {});

        Response response = client.get(ADMIN + "breakers");

        assertThat(response.all("name")).contains("carrier");
        assertThat(response.all("replica")).containsOnly(service.replica());
        assertThat(response.all("state")).contains("CLOSED");
    }

    @Test
    void listsSagasOfAllServices() {
        Response response = client.get(ADMIN + "sagas?limit=5&status=STARTED");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo("[]");
        assertThat(response.link()).isEmpty();
        assertProblem(client.get(ADMIN + "sagas?type=Trip"), 400);
        assertProblem(client.get(ADMIN + "sagas?limit=0"), 400);
        assertProblem(client.get(ADMIN + "sagas?cursor=x"), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"processors", "groups", "streams", "outbox", "breakers", "sagas"})
    void rejectsUnknownParameters(String list) {
        Response response = client.get(ADMIN + list + "?servise=warehouse");

        assertProblem(response, 400);
        assertThat(response.field("detail")).contains("servise is not a parameter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"processors", "groups", "streams", "outbox", "breakers", "sagas"})
    void selectsAService(String list) {
        Response response = client.get(ADMIN + list + "?service=nowhere");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo("[]");
    }

    @Test
    void listsAndForgetsServices() {
        service.wire().announce(new Announcement("gone", "gone-1", List.of(), List.of(), List.of(), List.of()));
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> client.get(ADMIN + "services").all("name"), List.of("gone", "warehouse")::equals);
        assertProblem(client.delete(ADMIN + "services/gone"), 409);
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> client.get(ADMIN + "services").all("live"), List.of("false", "true")::equals);
        JsonNode gone = client.get(ADMIN + "services").json().path(0);
        assertThat(names(gone)).containsExactly("name", "live", "firstSeen", "silentSince", "replicas");

        Response forgotten = client.delete(ADMIN + "services/gone");

        assertThat(forgotten.status()).isEqualTo(200);
        assertThat(forgotten.field("status")).isEqualTo("forgotten");
        assertThat(client.get(ADMIN + "services").all("name")).containsExactly("warehouse");
        Response again = client.delete(ADMIN + "services/gone");
        assertProblem(again, 404);
        assertThat(again.field("code")).isEqualTo("service-unknown");
        assertThat(again.field("action")).isNotBlank();
    }

    @Test
    void forgetsNoLiveService() {
        Response response = client.delete(ADMIN + "services/warehouse");

        assertProblem(response, 409);
        assertThat(response.field("code")).isEqualTo("service-live");
    }
}
