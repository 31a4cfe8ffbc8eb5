package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DemoTests {

    @BeforeAll
    static void choosePorts() {
        FreePorts.choose();
    }

    @Test
    void waitsForPartiallyReadyShop() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (StubShop shop = new StubShop().respond("/actuator/health/readiness", "{\"status\":\"DOWN\"}")) {
            shop.thenRespond("/actuator/health/readiness", "{\"status\":\"UP\"}"); // from the second request on

            int code = Demo.run(printStream(out), printStream(err), "scenario", "1", "--yes");

            assertThat(text(out)).contains("Scenario 1").doesNotContain("No running shop found");
            assertThat(text(err)).contains("the shop responded with 404");
            assertThat(code).isEqualTo(1);
        }
    }

    private static PrintStream printStream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
