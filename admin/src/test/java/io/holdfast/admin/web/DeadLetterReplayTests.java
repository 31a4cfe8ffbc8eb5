package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.Warehouse.Gate;
import io.holdfast.admin.web.AdminClient.Response;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DeadLetterReplayTests extends WarehouseTest {

    @Test
    void takesEffectImmediatelyAndReportsIt() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        warehouse.broken.clear();

        Response response = replay(id);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().propertyNames())
                .containsExactly("status", "dlqEntryId", "outcome", "receiptId", "replayedFrom");
        assertThat(response.field("status")).isEqualTo("replayed");
        assertThat(response.field("outcome")).isEqualTo("APPLIED");
        assertThat(List.of(response.field("dlqEntryId"), response.field("replayedFrom")))
                .containsOnly(id);
        assertThat(response.header("Location")).isEqualTo("/api/admin/receipts/" + response.field("receiptId"));
        assertThat(packed(key, "vase")).isEqualTo(1);
        assertThat(inspect(id).field("status")).isEqualTo("REPLAYED");
        assertThat(inspect(id).field("replayCount")).isEqualTo("1");
        assertThat(inspect(id).field("receiptId")).isEqualTo(response.field("receiptId"));
    }

    @Test
    void continuesWithTheLettersBehindIt() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl", "jug");
        warehouse.broken.clear();

        assertThat(replay(ids.get(0)).field("status")).isEqualTo("replayed");

        awaitNoneParked(key);
        assertThat(List.of(packed(key, "vase"), packed(key, "bowl"), packed(key, "jug")))
                .containsExactly(1, 1, 1);
    }

    @Test
    void reportsTheOutcomeOfThisLetterEvenIfOneBehindItFails() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl");
        warehouse.broken.clear();
        warehouse.broken.add("bowl");

        assertThat(replay(ids.get(0)).field("outcome")).isEqualTo("APPLIED");

        assertThat(awaitParked(key, 1)).containsExactly(ids.get(1));
        assertThat(packed(key, "vase")).isEqualTo(1);
    }

    @Test
    void doesNotWaitForTheWholeSequence() throws InterruptedException {
        String key = newKey();
        String slow = "slow-" + key;
        String[] items = new String[150]; // more than are committed together
        Arrays.setAll(items, number -> number == 0 ? "vase" : "item-" + number);
        items[140] = slow;
        List<String> ids = park(key, items);
        warehouse.broken.clear();
        Gate gate = warehouse.closeGate(slow);

        Response response = replay(ids.get(0));

        assertThat(response.field("status")).isEqualTo("replayed");
        gate.awaitEntered();
        assertThat(packed(key, slow)).isZero();
        gate.open();
        awaitNoneParked(key);
    }

    @Test
    void reportsThatItFailedAgainAndWhy() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        String reason = inspect(id).field("failureReason");
        warehouse.broken.clear();
        warehouse.failing.add("vase");

        Response response = replay(id);

        assertThat(reason).isEqualTo("cannot pack vase");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("status")).isEqualTo("failed-again");
        assertThat(response.field("outcome")).isEqualTo("FAILED_AGAIN");
        assertThat(response.field("failureReason")).isEqualTo("java.lang.IllegalStateException: no tape for vase");
        assertThat(response.json().path("cause").path("type").asString()).isEqualTo("java.lang.IllegalStateException");
        assertThat(inspect(id).field("failureReason")).isEqualTo("no tape for vase");
        assertThat(inspect(id).json().path("attemptHistory").size()).isEqualTo(2);
        assertThat(packed(key, "vase")).isZero();
    }

    @Test
    void doesNotWaitForTheBackoffOfARetryingLetter() {
        String key = newKey();
        warehouse.failing.add("lamp");
        Warehouse.order(service, key, "lamp");
        String id = awaitParked(key, 1).get(0);
        warehouse.failing.clear();

        assertThat(replay(id).field("status")).isEqualTo("replayed");
        assertThat(packed(key, "lamp")).isEqualTo(1);
    }

    @Test
    void takesEffectOnceIfRequestedConcurrently() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        warehouse.broken.clear();
        ExecutorService operators = Executors.newFixedThreadPool(10);
        try {
            List<CompletableFuture<Response>> responses = IntStream.range(0, 10)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> replay(id), operators))
                    .toList();

            assertThat(responses).allSatisfy(future -> {
                Response response = future.join();
                String result = response.field(response.status() == 409 ? "code" : "status");
                assertThat(result).isIn("replayed", "already-applied", "in-progress");
                assertThat(response.field("receiptId")).isNotEmpty();
            });
            assertThat(responses).anySatisfy(future -> assertThat(future.join().field("status"))
                    .isEqualTo("replayed"));
        } finally {
            operators.shutdown();
        }
        assertThat(packed(key, "vase")).isEqualTo(1);
    }

    @Test
    void namesTheReceiptOfTheReplayInProgress() throws InterruptedException {
        String item = "slow-" + newKey();
        String key = newKey();
        String id = park(key, item).get(0);
        warehouse.broken.clear();
        Gate gate = warehouse.closeGate(item);
        CompletableFuture<Response> first = CompletableFuture.supplyAsync(() -> replay(id));
        gate.awaitEntered();

        Response second = replay(id);

        assertProblem(second, 409);
        assertThat(second.field("code")).isEqualTo("in-progress");
        gate.open();
        assertThat(first.join().field("status")).isEqualTo("replayed");
        assertThat(second.field("receiptId")).isEqualTo(first.join().field("receiptId"));
        assertThat(packed(key, item)).isEqualTo(1);
    }

    @Test
    void repeatsTheResponseForTheSameKeyAndRejectsTheKeyForAnotherRequest() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        warehouse.broken.clear();
        String request = DLQ + "/" + id + "/replay";

        Response first = client.post(request, "key-" + key, "{\"reason\":\"fixed\"}");
        Response repeated = client.post(request, "key-" + key, "{\"reason\":\"fixed\"}");
        Response other = client.post(request, "key-" + key, "{\"reason\":\"another\"}");

        assertThat(first.field("status")).isEqualTo("replayed");
        assertThat(repeated.text()).isEqualTo(first.text());
        assertProblem(other, 422);
        assertThat(other.field("code")).isEqualTo("key-reused");
        assertThat(other.field("receiptId")).isEqualTo(first.field("receiptId"));
    }

    @Test
    void isRejectedAfterTooManyFailuresUnlessForced() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        for (int i = 0; i < 3; i++) {
            assertThat(replay(id).field("status")).isEqualTo("failed-again");
        }
        warehouse.broken.clear();

        Response rejected = replay(id);
        Response withoutReason = client.post(DLQ + "/" + id + "/replay", newKey(), "{\"force\":true}");
        Response forced = client.post(DLQ + "/" + id + "/replay", newKey(), "{\"force\":true,\"reason\":\"fixed\"}");

        assertThat(inspect(id).field("replayCount")).isEqualTo("4");
        assertProblem(rejected, 409);
        assertThat(rejected.field("code")).isEqualTo("replay-limit");
        assertProblem(withoutReason, 400);
        assertThat(withoutReason.field("code")).isEqualTo("reason-required");
        assertThat(forced.field("status")).isEqualTo("replayed");
        assertThat(packed(key, "vase")).isEqualTo(1);
    }

    @Test
    void rejectsMalformedBodiesAndTextsThatAreTooLong() {
        String id = park(newKey(), "vase").get(0);
        String request = DLQ + "/" + id + "/replay";
        String group = DLQ + "/groups/" + inspect(id).field("causeGroup") + "/note";

        assertProblem(client.post(request, newKey(), "{\"reason\":"), 400);
        assertProblem(client.post(request, newKey(), "[1]"), 400);
        assertProblem(client.post(request, newKey(), "{\"reason\":\"" + "x".repeat(2_001) + "\"}"), 400);
        assertProblem(client.put(group, "{\"note\":\"" + "x".repeat(2_001) + "\"}"), 400);
        assertThat(client.put(group, "{\"note\":\"call the supplier\"}").field("note"))
                .isEqualTo("call the supplier");
        assertThat(inspect(id).field("attempts")).isEqualTo("1");
    }

    @Test
    void rejectsUnknownFields() {
        String id = park(newKey(), "vase").get(0);

        Response response = client.post(DLQ + "/" + id + "/replay", newKey(), "{\"raeson\":\"fixed\",\"force\":1}");

        assertProblem(response, 400);
        assertThat(response.field("detail"))
                .contains("raeson is not a field; the fields are force, reason")
                .contains("force must be true or false");
    }

    @Test
    void reportsALetterThatWasAlreadyApplied() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        warehouse.broken.clear();
        replay(id);

        Response repeated = replay(id);

        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.field("status")).isEqualTo("already-applied");
        assertThat(repeated.field("outcome")).isEqualTo("ALREADY_APPLIED");
        assertThat(packed(key, "vase")).isEqualTo(1);
    }

    @Test
    void startsAtTheFirstLetterOfTheSequence() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl");
        Response blocked = replay(ids.get(1));
        warehouse.broken.clear();

        Response response = replay(ids.get(1));

        assertThat(blocked.field("status")).isEqualTo("not-tried");
        assertThat(blocked.field("detail")).isEqualTo("blocked");
        assertThat(response.field("status")).isEqualTo("replayed");
        assertThat(response.field("dlqEntryId")).isEqualTo(ids.get(1));
        assertThat(response.field("replayedFrom")).isEqualTo(ids.get(0));
        assertThat(List.of(packed(key, "vase"), packed(key, "bowl"))).containsExactly(1, 1);
    }

    @Test
    void reportsThatAPolicyEvictedTheLetter() {
        String key = newKey();
        warehouse.evicted.add("mug");
        Warehouse.order(service, key, "mug");
        String id = awaitParked(key, 1).get(0);

        Response response = replay(id);

        assertThat(response.field("status")).isEqualTo("discarded");
        assertThat(response.field("outcome")).isEqualTo("DISCARDED");
        assertThat(packed(key, "mug")).isZero();
        assertProblem(replay(id), 409);
        assertThat(inspect(id).field("resolution")).isEqualTo("evicted");
    }

    @Test
    void continuesIfItExceedsTheTimeout() throws InterruptedException {
        String key = newKey();
        String item = "slow-" + key;
        String id = park(key, item).get(0);
        warehouse.broken.clear();
        Gate gate = warehouse.closeGate(item);

        Response response = replay(id);

        assertThat(response.status()).isEqualTo(202);
        assertThat(response.field("state")).isEqualTo("OPEN");
        assertThat(response.json().path("totals").toString()).isEqualTo("{\"selected\":1,\"open\":1}");
        assertThat(inspect(id).field("status")).isNotEqualTo("REPLAYED");
        gate.open();
        awaitNoneParked(key);
        JsonNode receipt = client.get(response.header("Location")).json();
        assertThat(receipt.path("totals").toString()).isEqualTo("{\"selected\":1,\"open\":0,\"applied\":1}");
        assertThat(packed(key, item)).isEqualTo(1);
    }

    @Test
    void isRejectedWhileTheProcessorIsPaused() {
        String id = park(newKey(), "vase").get(0);
        service.processor("shipping").pause();
        try {
            await().atMost(Warehouse.AWAIT_TIMEOUT)
                    .until(() -> service.processor("shipping").status().paused());

            Response response = replay(id);

            assertProblem(response, 409);
            assertThat(response.field("code")).isEqualTo("processor-paused");
            assertThat(response.field("action")).contains("/api/admin/processors/warehouse/shipping/resume");
        } finally {
            service.processor("shipping").resume();
        }
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> !service.processor("shipping").status().paused());
    }
}
