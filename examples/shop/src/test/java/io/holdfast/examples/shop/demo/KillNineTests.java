package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the whole shop during a load and restarts it: every accepted order completes exactly once. Long, because four
 * services start twice. CI does the same with {@code ./demo} itself.
 */
@Tag("long")
class KillNineTests {

    private static final int RATE = 30;
    private static final int SECONDS = 8;

    /** Longer than any restart, so that no order is cancelled. */
    private static final String DEADLINE = "--saga-deadline=600";

    private final ShopClient shop = new ShopClient();

    @BeforeAll
    static void choosePorts() {
        FreePorts.choose();
    }

    @Test
    void completesEveryAcceptedOrderOnceAfterKill(@TempDir Path data) throws Exception {
        LoadProducts products;
        try (DemoProcess first = DemoProcess.start(data, DEADLINE).awaitReady()) {
            products = LoadProducts.create(shop, "kill");
            try (LoadRun load = new LoadRun(shop, products, "kill", 50)) {
                CompletableFuture<?> loading = CompletableFuture.runAsync(() -> run(load));
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> load.accepted().size() > RATE * SECONDS / 3);
                first.kill();
                int before = load.accepted().size();
                try (DemoProcess second = DemoProcess.start(data, DEADLINE)) {
                    loading.get(120, TimeUnit.SECONDS);
                    LoadReconciliation reconciliation = new LoadReconciliation(shop, products.stock());
                    reconciliation.reconcile(load.accepted(), open -> {});

                    assertThat(before).as("accepted before the kill").isPositive();
                    assertThat(load.unanswered())
                            .as("requests without a response")
                            .isPositive();
                    assertThat(load.rejected()).isEmpty();
                    assertThat(load.accepted()).hasSize(load.submitted());
                    assertThat(reconciliation.discrepancies()).isEmpty();
                    assertThat(reconciliation.confirmed() + reconciliation.cancelled())
                            .isEqualTo(load.submitted());
                    assertThat(second.interrupt()).as("exit code after Ctrl-C").isIn(0, 130, 143);
                }
            }
        }
    }

    private static void run(LoadRun load) {
        try {
            load.runAtRate(RATE, SECONDS, () -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
