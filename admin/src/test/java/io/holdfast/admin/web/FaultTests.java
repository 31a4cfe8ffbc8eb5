package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.fault.InjectedFaultException;
import io.holdfast.admin.web.AdminClient.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

@ExtendWith(OutputCaptureExtension.class)
class FaultTests extends WarehouseTest {

    private static final String FAULT = "/api/admin/fault";

    private boolean isLabelled(String key) {
        return service.views().find(Warehouse.LABELLED, key).isPresent();
    }

    private void awaitLabelled(String key) {
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> isLabelled(key));
    }

    @Test
    void makesOneComponentFailPermanentlyUntilRemoved(CapturedOutput output) {
        Response on = client.post(FAULT + "?enabled=true&failureMessage=no%20power&component=packing");
        String key = newKey();
        Warehouse.order(service, key, "vase");
        String id = awaitParked(key, 1).get(0);

        assertThat(on.status()).isEqualTo(200);
        assertThat(inspect(id).field("status")).isEqualTo("PENDING");
        assertThat(inspect(id).field("failureReason")).isEqualTo("no power");
        assertThat(inspect(id).field("failureType")).isEqualTo(InjectedFaultException.Permanent.class.getName());
        awaitLabelled(key);
        assertThat(replay(id).field("status")).isEqualTo("failed-again");

        client.post(FAULT + "?enabled=false&component=packing");

        assertThat(replay(id).field("status")).isEqualTo("replayed");
        assertThat(packed(key, "vase")).isEqualTo(1);
        assertThat(output)
                .contains("Injecting non-retryable faults into [warehouse/shipping/packing]: no power")
                .contains("Stopped injecting faults into [warehouse/shipping/packing]");
    }

    @Test
    void makesAllComponentsFailRetryably() {
        client.post(FAULT + "?enabled=true&retryable=true");
        String key = newKey();
        Warehouse.order(service, key, "vase");
        List<String> ids = awaitParked(key, 2);

        assertThat(ids).anyMatch(id -> id.endsWith("~warehouse~shipping~packing"));
        assertThat(ids).anyMatch(id -> id.endsWith("~warehouse~labels~labelling"));
        assertThat(ids).allSatisfy(id -> {
            assertThat(inspect(id).field("status")).isEqualTo("RETRYING");
            assertThat(inspect(id).field("failureReason")).isEqualTo(FaultController.DEFAULT_MESSAGE);
        });

        client.post(FAULT + "?enabled=false");

        assertThat(ids).allSatisfy(id -> assertThat(replay(id).field("status")).isEqualTo("replayed"));
        assertThat(isLabelled(key)).isTrue();
    }

    @Test
    void listsFaultsAndComponents() {
        assertThat(client.get(FAULT).text())
                .isEqualTo("{\"enabled\":false,\"faults\":[],"
                        + "\"components\":[\"warehouse/shipping/packing\",\"warehouse/labels/labelling\"]}");

        client.post(FAULT + "?enabled=true&component=labels/labelling&failureMessage=ink&retryable=true");

        JsonNode faults = client.get(FAULT).json();
        assertThat(faults.path("enabled").asBoolean()).isTrue();
        JsonNode fault = faults.path("faults").get(0);
        assertThat(fault.path("component").asString()).isEqualTo("warehouse/labels/labelling");
        assertThat(fault.path("failureMessage").asString()).isEqualTo("ink");
        assertThat(fault.path("retryable").asBoolean()).isTrue();
        assertThat(fault.path("since").asString()).endsWith("Z");
        assertThat(faults.path("faults").size()).isEqualTo(1);
    }

    @Test
    void acceptsAnIdAndReplacesAnEarlierFault() {
        client.post(FAULT + "?enabled=true&component=warehouse/shipping/packing&failureMessage=one");
        client.post(FAULT + "?enabled=true&component=packing&failureMessage=two");

        JsonNode faults = client.get(FAULT).json().path("faults");
        assertThat(faults.size()).isEqualTo(1);
        assertThat(faults.get(0).path("failureMessage").asString()).isEqualTo("two");
    }

    @Test
    void listsTheComponentsIfTheGivenOneIsUnknown() {
        Response response = client.post(FAULT + "?enabled=true&component=selling");

        assertProblem(response, 400);
        assertThat(response.field("detail"))
                .contains("unknown component selling")
                .contains("warehouse/shipping/packing")
                .contains("warehouse/labels/labelling");
        assertThat(client.get(FAULT).json().path("enabled").asBoolean()).isFalse();
    }

    @Test
    void reportsAllInvalidParametersAtOnce() {
        Response response = client.post(FAULT + "?retryable=perhaps&componet=packing");

        assertProblem(response, 400);
        assertThat(response.json().path("errors").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder(
                        "enabled must be true or false, but is missing",
                        "retryable must be true or false, but is perhaps",
                        "componet is not a parameter; the parameters are enabled, failureMessage, component, retryable");
    }
}
