package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.eventsourcing.Command;
import io.holdfast.examples.shop.payment.Payment;
import io.holdfast.examples.shop.payment.PaymentProcessed;
import io.holdfast.memory.InMemoryWire;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoTests {

    private static final ShoppingPlan PLAN = ShoppingPlan.of(50, 1);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    private final PrintStream err = new PrintStream(complained, true, StandardCharsets.UTF_8);

    @Test
    void saysBalancedAndExitsWithZero() throws InterruptedException {
        int exitCode = Demo.run(List.of("--orders", "50", "--callers", "4"), out, err, false);

        assertThat(text(printed))
                .contains("50 of 50 orders placed, 50 ended", "Orders     50 = ", "BALANCED: nothing lost")
                .doesNotContain("NOT BALANCED", "\r");
        assertThat(text(complained)).isEmpty();
        assertThat(exitCode).isZero();
    }

    @Test
    void rewritesOneLineOnATerminal() throws InterruptedException {
        Demo.run(List.of("--orders", "50"), out, err, true);

        assertThat(text(printed)).contains("\r  50 of 50 orders placed, 50 ended");
    }

    @Test
    void explainsItselfAndExitsWithZero() throws InterruptedException {
        assertThat(Demo.run(List.of("--help"), out, err, false)).isZero();
        assertThat(text(printed)).startsWith("Usage: ./demo").contains("--orders", "--callers", "--seed");
    }

    @Test
    void refusesWrongOptionsAndExitsWithTwo() throws InterruptedException {
        assertThat(Demo.run(List.of("--orders", "none"), out, err, false)).isEqualTo(2);
        assertThat(text(complained))
                .isEqualToIgnoringNewLines(
                        "demo: --orders needs a whole number, but was given none. Try ./demo --help");
        assertThat(text(printed)).isEmpty();
    }

    @Test
    void saysWhatDoesNotBalanceAndExitsWithOne() throws InterruptedException {
        try (Shop shop = Shop.start(new InMemoryWire())) {
            shop.payments()
                    .engine()
                    .commands()
                    .execute(
                            Command.once(Clock.systemUTC()),
                            Payment.TYPE,
                            "o-9",
                            payment -> List.of(new PaymentProcessed("o-9", "c-9", new BigDecimal("1.00"))));

            int exitCode = new DemoRun(shop, PLAN, out, false, DemoRun.PATIENCE).run(4);

            assertThat(text(printed))
                    .contains("NOT BALANCED, 2 findings:")
                    .contains("a payment of 1.00 was captured for order o-9, which does not exist")
                    .contains("money: captured payments should be");
            assertThat(exitCode).isEqualTo(1);
        }
    }

    @Test
    void saysWhatIsStuckAndExitsWithOne() throws InterruptedException {
        try (Shop shop = Shop.start(new InMemoryWire())) {
            shop.payments().close();

            int exitCode = new DemoRun(shop, PLAN, out, false, Duration.ofSeconds(1)).run(4);

            assertThat(text(printed))
                    .contains("STUCK: nothing has happened for 1 s.")
                    .containsPattern("\\d+ orders that have not ended: ")
                    .contains("processor payment/collection is not running")
                    .doesNotContain("BALANCED");
            assertThat(exitCode).isEqualTo(1);
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
