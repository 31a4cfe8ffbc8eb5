package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.deadletter.ReplayResult.Status;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The store shows that a letter was removed before listeners are notified of its outcome. */
class LateNotificationTests {

    private static final Duration LONG = Duration.ofSeconds(15);

    private final Warehouse warehouse = new Warehouse();
    private final Departures departures = new Departures();
    private final CountDownLatch mayNotify = new CountDownLatch(1);
    private final HoldfastService service = HoldfastService.named(
                    "warehouse", new InMemoryStore("warehouse", Clock.systemUTC()), new InMemoryWire())
            .owns("orders")
            .deadLetterListener(this::notifyLate)
            .processor("shipping", processor -> processor
                    .reads("orders")
                    .settings(ProcessorSettings.DEFAULT.segments(1))
                    .calls(Component.of("packing", warehouse.new Packing()).build()))
            .start();
    private final DeadLetterOperations operations = new DeadLetterOperations(service, departures);

    private void notifyLate(DeadLetterChange change) {
        try {
            if (change.kind() == DeadLetterChange.Kind.REPLAYED && !mayNotify.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test did not permit the notification");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        departures.changed(change);
    }

    @AfterEach
    void close() {
        mayNotify.countDown();
        service.close();
    }

    @Test
    void respondsOnlyAfterTheOutcomeIsKnown() {
        warehouse.broken.add("vase");
        Warehouse.order(service, "o-1", "vase");
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> operations.count() == 1);
        String id = operations.find(DeadLetterQuery.NEWEST).entries().get(0).dlqEntryId();
        warehouse.broken.clear();

        CompletableFuture<ReplayResult> first = CompletableFuture.supplyAsync(() -> operations.replay(id, LONG));
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> operations.count() == 0);
        CompletableFuture<ReplayResult> late = CompletableFuture.supplyAsync(() -> operations.replay(id, LONG));
        await().during(Duration.ofSeconds(1)) // longer than it waits if another replica owns the segment
                .atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> !first.isDone() && !late.isDone());
        mayNotify.countDown();

        assertThat(first.join().status()).isEqualTo(Status.APPLIED);
        assertThat(late.join().status()).isEqualTo(Status.ALREADY_APPLIED);
    }
}
