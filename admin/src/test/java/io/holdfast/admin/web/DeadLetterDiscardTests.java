package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.Warehouse.Gate;
import io.holdfast.admin.web.AdminClient.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeadLetterDiscardTests extends WarehouseTest {

    private Response discard(String id) {
        return client.delete(DLQ + "/" + id);
    }

    @Test
    void removesALetterPermanently() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        warehouse.broken.clear();

        Response response = discard(id);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("status")).isEqualTo("discarded");
        assertThat(response.field("dlqEntryId")).isEqualTo(id);
        assertThat(inspect(id).field("status")).isEqualTo("DISCARDED");
        assertProblem(discard(id), 409);
        assertProblem(replay(id), 409);
        assertThat(replay(id).field("code")).isEqualTo("not-parked");
        assertThat(replay(id).field("receiptId")).isEqualTo(response.field("receiptId"));
        assertThat(packed(key, "vase")).isZero();
    }

    @Test
    void continuesTheSequenceAutomatically() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl", "jug");

        discard(ids.get(0));

        awaitNoneParked(key);
        assertThat(List.of(packed(key, "vase"), packed(key, "bowl"), packed(key, "jug")))
                .containsExactly(0, 1, 1);
    }

    @Test
    void removesALetterFromTheMiddle() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl", "jug");

        discard(ids.get(1));

        assertThat(awaitParked(key, 2)).containsExactly(ids.get(0), ids.get(2));
        assertThat(inspect(ids.get(0)).field("sequenceSize")).isEqualTo("2");
        warehouse.broken.clear();
        assertThat(replay(ids.get(0)).field("status")).isEqualTo("replayed");
        awaitNoneParked(key);
        assertThat(List.of(packed(key, "vase"), packed(key, "bowl"), packed(key, "jug")))
                .containsExactly(1, 0, 1);
    }

    @Test
    void isRejectedWhileTheSequenceIsBeingReplayed() throws InterruptedException {
        String key = newKey();
        String item = "slow-" + key;
        List<String> ids = park(key, item, "bowl");
        warehouse.broken.clear();
        Gate gate = warehouse.closeGate(item);
        CompletableFuture<Response> replay = CompletableFuture.supplyAsync(() -> replay(ids.get(0)));
        gate.awaitEntered();

        Response first = discard(ids.get(0));
        Response second = discard(ids.get(1));

        assertProblem(first, 409);
        assertProblem(second, 409);
        assertThat(List.of(first.field("code"), second.field("code"))).containsOnly("in-progress");
        gate.open();
        assertThat(replay.join().field("status")).isEqualTo("replayed");
        awaitNoneParked(key);
        assertThat(packed(key, item)).isEqualTo(1);
    }

    @Test
    void removesALetterWhileTheProcessorIsPaused() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl");
        service.processor("shipping").pause();
        try {
            await().atMost(Warehouse.AWAIT_TIMEOUT)
                    .until(() -> service.processor("shipping").status().paused());

            assertThat(discard(ids.get(0)).field("status")).isEqualTo("discarded");

            assertThat(awaitParked(key, 1)).containsExactly(ids.get(1));
        } finally {
            service.processor("shipping").resume();
        }
        awaitNoneParked(key);
    }

    @Test
    void removesALetterAfterItsReplayFailed() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        assertThat(replay(id).field("status")).isEqualTo("failed-again");

        assertThat(discard(id).field("status")).isEqualTo("discarded");
        awaitNoneParked(key);
    }
}
