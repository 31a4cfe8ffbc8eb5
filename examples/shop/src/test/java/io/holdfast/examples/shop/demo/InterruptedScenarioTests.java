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

    private static final String FAULT = "/api/admin/fault";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @BeforeAll
    static void choosePorts() {
        FreePorts.choose();
    }

    @Test
    void removesInjectedFaultOnCtrlC(@TempDir Path data) throws Exception {
        try (StubShop shop = new StubShop()
                        .respond("/actuator/health/readiness", "{\"status\":\"UP\"}")
                        .respond("/api/products", "{\"productId\":\"lamp\"}")
                        .respond("/api/admin/dlq/count", "{\"count\":0}")
                        .respond(FAULT, "{}");
                DemoProcess demo = DemoProcess.start(data, "scenario", "7")) {
            demo.pressEnter();
            demo.pressEnter();
            await().atMost(TIMEOUT).until(() -> faults(shop).size() == 1);

            demo.interrupt();

            List<String> faults = faults(shop);
            assertThat(faults.get(0)).contains("enabled=true").contains("component=stock-reservation");
            assertThat(faults.subList(1, faults.size())) // more than one if the scenario's own cleanup ran too
                    .isNotEmpty()
                    .allMatch(request -> request.contains("enabled=false&component=stock-reservation"));
        }
    }

    private static List<String> faults(StubShop shop) {
        return shop.requests().stream()
                .filter(request -> request.startsWith("POST " + FAULT))
                .toList();
    }
}
