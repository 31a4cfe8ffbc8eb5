package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.Warehouse.Gate;
import io.holdfast.admin.deadletter.ReplayResult;
import io.holdfast.admin.web.AdminClient.Response;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadLetterReplayTests extends WarehouseTest {

    @Test
    void takesEffectImmediatelyAndReportsIt() {
        String key = newKey();
        String id = park(key, "vase").get(0);
        warehouse.broken.clear();

        Response response = replay(id);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text())
                .isEqualTo("{\"status\":\"replayed\",\"dlqEntryId\":\"" + id + "\",\"outcome\":\"APPLIED\"}");
        assertThat(packed(key, "vase")).isEqualTo(1);
        assertProblem(inspect(id), 404);
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
        assertThat(response.field("outcome")).isEqualTo("FAILED");
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
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.field("status")).isIn("replayed", "already-applied");
                assertThat(response.field("outcome")).isEqualTo("APPLIED");
            });
            assertThat(responses).anySatisfy(future -> assertThat(future.join().field("status"))
                    .isEqualTo("replayed"));
        } finally {
            operators.shutdown();
        }
        assertThat(packed(key, "vase")).isEqualTo(1);
    }

    @Test
    void reportsThatItFailedAgainToAllConcurrentCallers() {
        String id = park(newKey(), "vase").get(0);

        List<CompletableFuture<Response>> responses = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> replay(id)))
                .toList();

        assertThat(responses)
                .allSatisfy(future -> assertThat(future.join().field("status")).isEqualTo("failed-again"));
        assertThat(inspect(id).status()).isEqualTo(200);
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
        assertThat(packed(key, "vase")).isEqualTo(1);
    }

    @Test
    void rejectsALetterThatIsNotFirstAndNamesTheFirst() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl");

        Response response = replay(ids.get(1));

        assertProblem(response, 409);
        assertThat(response.field("firstDlqEntryId")).isEqualTo(ids.get(0));
        assertThat(response.field("detail")).contains(ids.get(0)).contains(ids.get(1));
        assertThat(packed(key, "bowl")).isZero();
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
        assertProblem(replay(id), 404);
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
        assertThat(response.text()).isEqualTo("{\"status\":\"replaying\",\"dlqEntryId\":\"" + id + "\"}");
        assertThat(inspect(id).status()).isEqualTo(200);
        gate.open();
        awaitNoneParked(key);
        assertThat(packed(key, item)).isEqualTo(1);
    }

    @Test
    void waitsNoLongerThanTheTimeout() throws InterruptedException {
        String key = newKey();
        String item = "slow-" + key;
        String id = park(key, item).get(0);
        warehouse.broken.clear();
        Gate gate = warehouse.closeGate(item);

        ReplayResult result = operations.replay(id, Duration.ofMillis(50));

        assertThat(result.status()).isEqualTo(ReplayResult.Status.RUNNING);
        gate.open();
        awaitNoneParked(key);
    }

    @Test
    void isRejectedWhileTheProcessorIsPaused() {
        String id = park(newKey(), "vase").get(0);
        service.processor("shipping").pause();
        try {
            await().atMost(Warehouse.AWAIT_TIMEOUT)
                    .until(() -> service.processor("shipping").status().paused());

            Response response = replay(id);

            assertProblem(response, 503);
            assertThat(response.retryAfter()).isEqualTo("1");
            assertThat(response.field("detail")).contains("it is paused; resume it first");
        } finally {
            service.processor("shipping").resume();
        }
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> !service.processor("shipping").status().paused());
    }
}
