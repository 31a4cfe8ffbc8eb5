package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.examples.shop.launcher.MultiProcessShop;
import io.holdfast.examples.shop.launcher.ShopService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the shared member and each service in turn during a load. Long, because every process starts twice. */
@Tag("long")
class KilledProcessesTests {

    private static final int RATE = 15;
    private static final int SECONDS = 90;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Longer than any restart, so that no order is cancelled. */
    private static final Map<String, String> DEADLINE = Map.of("saga.timeout.saga-types.OrderFulfillment", "10m");

    private final ShopClient shop = new ShopClient();

    @BeforeAll
    static void choosePorts() {
        FreePorts.choose();
    }

    @Test
    void completesEveryAcceptedOrderOnceWhicheverProcessIsKilled(@TempDir Path data) throws Exception {
        try (MultiProcessShop processes = MultiProcessShop.start(data, DEADLINE, line -> {})) {
            awaitAllReady();
            LoadProducts products = LoadProducts.create(shop, "killed");
            try (LoadRun load = new LoadRun(shop, products, "killed", 50)) {
                CompletableFuture<?> loading = CompletableFuture.runAsync(() -> run(load));
                for (Map.Entry<String, Long> process : processes.pids().entrySet()) {
                    int before = load.accepted().size();
                    await().atMost(TIMEOUT).until(() -> load.accepted().size() > before + RATE * 3);
                    ProcessHandle.of(process.getValue()).orElseThrow().destroyForcibly();
                    await().atMost(TIMEOUT).until(() -> !processes.pids().containsValue(process.getValue()));
                    awaitAllReady();
                }
                loading.get(SECONDS + 120, TimeUnit.SECONDS);
                LoadReconciliation reconciliation = new LoadReconciliation(shop, products.stock());
                reconciliation.reconcile(load.accepted(), open -> {});

                assertThat(load.rejected()).isEmpty();
                assertThat(load.serverErrors())
                        .as("5xx responses of live services")
                        .isZero();
                assertThat(reconciliation.discrepancies()).isEmpty();
                assertThat(reconciliation.confirmed() + reconciliation.cancelled())
                        .isEqualTo(load.submitted());
            }
        }
    }

    private void awaitAllReady() {
        await().atMost(TIMEOUT).until(() -> Arrays.stream(ShopService.values()).allMatch(shop::isReady));
    }

    private static void run(LoadRun load) {
        try {
            load.runAtRate(RATE, SECONDS, () -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
