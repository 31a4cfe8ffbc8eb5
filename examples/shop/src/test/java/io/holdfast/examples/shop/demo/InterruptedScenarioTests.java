package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The user presses Ctrl-C during a scenario, while the shop keeps running. */
class InterruptedScenarioTests {

    private static final String HANDLERS = "/api/demo/handlers/";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @BeforeAll
    static void choosePorts() {
        FreePorts.choose();
    }

    @Test
    void resumesPausedHandlersOnCtrlC(@TempDir Path data) throws Exception {
        try (StubShop shop = new StubShop()
                        .respond("/actuator/health/readiness", "{\"status\":\"UP\"}")
                        .respond("/api/products", "{\"productId\":\"lamp\"}")
                        .respond("/api/demo", "{\"pid\":1,\"paused\":true}")
                        .respond("/api/sagas/types", "[{\"sagaType\":\"OrderFulfillment\",\"deadlineMs\":60000}]")
                        .respond(HANDLERS + "pause", "{}")
                        .respond(HANDLERS + "resume", "{}");
                DemoProcess demo = DemoProcess.start(data, "scenario", "6")) {
            demo.pressEnter();
            demo.pressEnter();
            await().atMost(TIMEOUT).until(() -> requests(shop).equals(List.of("pause")));

            demo.interrupt();

            assertThat(requests(shop).get(0)).isEqualTo("pause");
            assertThat(requests(shop)
                            .subList(1, requests(shop).size())) // several if the scenario's own cleanup ran too
                    .isNotEmpty()
                    .containsOnly("resume");
        }
    }

    private static List<String> requests(StubShop shop) {
        return shop.requests().stream()
                .filter(request -> request.startsWith("POST " + HANDLERS))
                .map(request -> request.substring(("POST " + HANDLERS).length()))
                .toList();
    }
}
