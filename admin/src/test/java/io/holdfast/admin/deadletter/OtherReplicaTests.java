package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.deadletter.ReplayResult.Status;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator sends a request to one replica, for a letter whose segment another replica has claimed. */
class OtherReplicaTests {

    private final Warehouse warehouse = new Warehouse();
    private final InMemoryStore store = new InMemoryStore("warehouse", Clock.systemUTC());
    private final InMemoryWire wire = new InMemoryWire();
    private final HoldfastService owner = replica("owner");
    private final HoldfastService receiver = replica("receiver");
    private final DeadLetterOperations operations = new DeadLetterOperations(receiver);

    private HoldfastService replica(String name) {
        return HoldfastService.named("warehouse", store, wire)
                .replica(name)
                .owns("orders")
                .processor("shipping", processor -> processor
                        .reads("orders")
                        .settings(ProcessorSettings.DEFAULT.segments(1))
                        .calls(Component.of("packing", warehouse.new Packing()).build()))
                .build();
    }

    @BeforeEach
    void claimSegmentOnOwner() {
        owner.start();
        awaitStatus(owner.processor("shipping"), true);
        receiver.start();
        awaitStatus(receiver.processor("shipping"), false);
    }

    private static void awaitStatus(EventProcessor processor, boolean claimed) {
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> !processor.status().segments().isEmpty()
                        && processor.status().segments().stream()
                                .map(SegmentStatus::claimed)
                                .allMatch(it -> it == claimed));
    }

    @AfterEach
    void close() {
        receiver.close();
        owner.close();
    }

    private String park(String key, String... items) {
        warehouse.broken.add(items[0]);
        Warehouse.order(owner, key, items);
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> operations.find(DeadLetterQuery.NEWEST).total() == items.length);
        List<DeadLetterEntry> entries = operations.find(DeadLetterQuery.NEWEST).entries();
        return entries.get(0).dlqEntryId();
    }

    @Test
    void ownerHandlesTheLetterOnceAndReceiverReportsThatItWasApplied() {
        String id = park("o-1", "vase");
        warehouse.broken.clear();

        ReplayResult result = operations.replay(id, Duration.ofSeconds(15));

        assertThat(result.status()).isEqualTo(Status.APPLIED);
        assertThat(Warehouse.packed(owner, "o-1", "vase")).isEqualTo(1);
        assertThat(operations.replay(id, Duration.ofSeconds(15)).status()).isEqualTo(Status.ALREADY_APPLIED);
        assertThat(new DeadLetterOperations(owner)
                        .replay(id, Duration.ofSeconds(15))
                        .status())
                .isEqualTo(Status.ALREADY_APPLIED);
    }

    @Test
    void receiverReportsThatTheLetterFailedAgainAtItsOwner() {
        String id = park("o-1", "vase");
        warehouse.broken.clear();
        warehouse.failing.add("vase");

        ReplayResult result = operations.replay(id, Duration.ofSeconds(15));

        assertThat(result.status()).isEqualTo(Status.FAILED_AGAIN);
        assertThat(result.cause()).isNotNull().extracting("message").isEqualTo("no tape for vase");
    }

    @Test
    void bothReplicasReportTheOutcomeOfOneReplay() {
        String id = park("o-1", "vase");
        warehouse.broken.clear();
        Warehouse.Gate gate = warehouse.closeGate("vase");
        CompletableFuture<ReplayResult> first =
                CompletableFuture.supplyAsync(() -> operations.replay(id, Duration.ofSeconds(15)));
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> !receiver.actions().findOpen(1).isEmpty());

        CompletableFuture<ReplayResult> second =
                CompletableFuture.supplyAsync(() -> new DeadLetterOperations(owner).replay(id, Duration.ofSeconds(15)));
        gate.open();

        assertThat(first.join().status()).isEqualTo(Status.APPLIED);
        assertThat(second.join().status()).isIn(Status.APPLIED, Status.ALREADY_APPLIED);
        assertThat(Warehouse.packed(owner, "o-1", "vase")).isEqualTo(1);
    }

    @Test
    void receiverDoesNotDiscardWhileTheOwnerReplays() throws InterruptedException {
        String id = park("o-1", "vase");
        warehouse.broken.clear();
        Warehouse.Gate gate = warehouse.closeGate("vase");
        CompletableFuture<ReplayResult> replay =
                CompletableFuture.supplyAsync(() -> new DeadLetterOperations(owner).replay(id, Duration.ofSeconds(15)));
        gate.awaitEntered();

        assertThat(operations.discard(id)).isEqualTo(DiscardResult.BEING_REPLAYED);

        gate.open();
        assertThat(replay.join().status()).isEqualTo(Status.APPLIED);
    }

    @Test
    void receiverDiscardsTheLetterAndOwnerContinuesTheSequence() {
        String id = park("o-1", "vase", "bowl");

        assertThat(operations.discard(id)).isEqualTo(DiscardResult.DISCARDED);

        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> Warehouse.packed(owner, "o-1", "bowl") == 1);
        assertThat(Warehouse.packed(owner, "o-1", "vase")).isZero();
    }
}
