package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.OperatorProblem.Problem;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The warehouse has two replicas, one of which has claimed the only segment. An operator asks either of them, or the shop,
 * another service.
 */
class RepairFromAnyServiceTests {

    /** Where the operator's request enters. */
    enum Gateway {
        EXECUTOR,
        OTHER_REPLICA,
        OTHER_SERVICE
    }

    private final Warehouse warehouse = new Warehouse();
    private final InMemoryStore store = new InMemoryStore("warehouse", Clock.systemUTC());
    private final InMemoryWire wire = new InMemoryWire();
    private RepairReplica executor;
    private RepairReplica receiver;
    private RepairReplica shop;

    private RepairReplica warehouse(String replica) {
        return new RepairReplica(HoldfastService.named("warehouse", store, wire)
                .replica(replica)
                .owns("orders")
                .processor("shipping", processor -> processor
                        .reads("orders")
                        .settings(ProcessorSettings.DEFAULT.segments(1))
                        .calls(Component.of("packing", warehouse.new Packing()).build())));
    }

    @BeforeEach
    void start() {
        executor = warehouse("warehouse-1");
        awaitClaimed(executor, true);
        receiver = warehouse("warehouse-2");
        awaitClaimed(receiver, false);
        shop = new RepairReplica(HoldfastService.named("shop", new InMemoryStore("shop", Clock.systemUTC()), wire)
                .replica("shop-1"));
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> shop.service.wire().directory().stream()
                .map(each -> each.replica())
                .toList()
                .containsAll(List.of("warehouse-1", "warehouse-2")));
    }

    private static void awaitClaimed(RepairReplica replica, boolean claimed) {
        EventProcessor processor = replica.service.processor("shipping");
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> !processor.status().segments().isEmpty()
                        && processor.status().segments().stream()
                                .map(SegmentStatus::claimed)
                                .allMatch(it -> it == claimed));
    }

    @AfterEach
    void close() {
        shop.close();
        receiver.close();
        executor.close();
    }

    private RepairReplica replica(Gateway gateway) {
        return switch (gateway) {
            case EXECUTOR -> executor;
            case OTHER_REPLICA -> receiver;
            case OTHER_SERVICE -> shop;
        };
    }

    /** Orders items, the first of which is broken, and waits until all are parked. */
    private List<String> park(String key, String... items) {
        warehouse.broken.add(items[0]);
        Warehouse.order(executor.service, key, items);
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> ids(executor, key).size() == items.length);
        return ids(executor, key);
    }

    private static List<String> ids(RepairReplica replica, String key) {
        return replica.parked().stream()
                .filter(entry -> entry.key().equals(key))
                .map(DeadLetterEntry::dlqEntryId)
                .toList();
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    private int packed(String key, String item) {
        return Warehouse.packed(executor.service, key, item);
    }

    private static Problem problem(CompletableFuture<?> refused) {
        try {
            RepairReplica.get(refused);
        } catch (CompletionException e) {
            if (e.getCause() instanceof OperatorProblem problem) {
                return problem.problem();
            }
            throw e;
        }
        throw new AssertionError("the request was not refused");
    }

    private static void assertTotals(ReceiptDetails receipt, String outcome) {
        assertThat(receipt.totals().toString()).isEqualTo("{selected=1, open=0, " + outcome + "=1}");
        assertThat(receipt.items()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void listsCountsAndInspectsTheLetters(Gateway gateway) {
        List<String> ids = park("o-1", "vase", "bowl");
        RepairReplica asked = replica(gateway);

        assertThat(ids(asked, "o-1")).isEqualTo(ids);
        assertThat(RepairReplica.get(asked.letters.count(asked.operator("ana"))).count())
                .isEqualTo(2);
        assertThat(RepairReplica.get(asked.letters.groups(asked.operator("ana")))
                        .groups())
                .singleElement()
                .satisfies(group -> assertThat(group.pending()).isEqualTo(2));
        assertThat(RepairReplica.get(asked.letters.inspect(ids.get(0), asked.operator("ana")))
                        .path("payload")
                        .path("item")
                        .asString())
                .isEqualTo("vase");
    }

    @ParameterizedTest
    @EnumSource
    void replaysOnceAndReportsTheOutcome(Gateway gateway) {
        String id = park("o-1", "vase", "bowl").get(0);
        warehouse.broken.clear();
        String action = newId();

        ReceiptDetails receipt = replica(gateway).submit(action, "REPLAY", id);
        ReceiptDetails repeated = replica(gateway).submit(action, "REPLAY", id);

        assertTotals(receipt, "applied");
        assertThat(receipt.operator()).isEqualTo("ana");
        assertThat(receipt.via().replica()).isEqualTo(replica(gateway).service.replica());
        assertThat(receipt.items().get(0).replica()).isEqualTo("warehouse-1");
        assertThat(repeated.items()).isEqualTo(receipt.items());
        assertThat(shop.receipt(action).items()).isEqualTo(receipt.items());
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> packed("o-1", "bowl") == 1);
        assertThat(packed("o-1", "vase")).isEqualTo(1);
        assertTotals(replica(gateway).submit(newId(), "REPLAY", id), "alreadyApplied");
        assertThat(packed("o-1", "vase")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void reportsThatALetterFailedAgain(Gateway gateway) {
        String id = park("o-1", "vase").get(0);

        ReceiptDetails receipt = replica(gateway).submit(newId(), "REPLAY", id);

        assertTotals(receipt, "failedAgain");
        assertThat(receipt.items().get(0).cause())
                .isNotNull()
                .extracting("message")
                .isEqualTo("cannot pack vase");
    }

    @ParameterizedTest
    @EnumSource
    void discardsALetterAndContinuesTheSequence(Gateway gateway) {
        String id = park("o-1", "vase", "bowl").get(0);

        String action = newId();

        assertTotals(replica(gateway).submit(action, "DISCARD", id), "discarded");

        assertTotals(replica(gateway).submit(action, "DISCARD", id), "discarded"); // repeated, the letter is gone
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> packed("o-1", "bowl") == 1);
        assertThat(packed("o-1", "vase")).isZero();
        assertThat(problem(replica(gateway).submitAsync(newId(), "REPLAY", id)).code())
                .isEqualTo("not-parked");
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatIsInProgress(Gateway gateway) throws InterruptedException {
        String id = park("o-1", "vase").get(0);
        warehouse.broken.clear();
        Warehouse.Gate gate = warehouse.closeGate("vase");
        String first = newId();
        CompletableFuture<ReceiptDetails> replay = shop.submitAsync(first, "REPLAY", id);
        gate.awaitEntered();

        Problem replayed = problem(replica(gateway).submitAsync(newId(), "REPLAY", id));
        Problem discarded = problem(replica(gateway).submitAsync(newId(), "DISCARD", id));

        assertThat(List.of(replayed.code(), discarded.code())).containsOnly("in-progress");
        assertThat(List.of(replayed.receiptId(), discarded.receiptId())).containsOnly(first);
        gate.open();
        assertTotals(RepairReplica.get(replay), "applied");
        assertThat(packed("o-1", "vase")).isEqualTo(1);
    }

    /** Two operators, two gateways: one effect. */
    @Test
    void takesEffectOnceHoweverManyOperatorsReplayAtOnce() {
        String id = park("o-1", "vase").get(0);
        warehouse.broken.clear();
        List<CompletableFuture<ReceiptDetails>> replays = List.of(
                shop.submitAsync(newId(), "REPLAY", id),
                receiver.submitAsync(newId(), "REPLAY", id),
                executor.submitAsync(newId(), "REPLAY", id),
                shop.submitAsync(newId(), "REPLAY", id));

        List<String> results = replays.stream().map(this::result).toList();

        assertThat(results).contains("APPLIED").allMatch(it -> List.of("APPLIED", "ALREADY_APPLIED", "in-progress")
                .contains(it));
        assertThat(results).filteredOn("APPLIED"::equals).hasSize(1);
        assertThat(packed("o-1", "vase")).isEqualTo(1);
    }

    private String result(CompletableFuture<ReceiptDetails> replay) {
        return replay.handle((receipt, failure) -> failure == null
                        ? String.valueOf(receipt.items().get(0).outcome())
                        : problem(replay).code())
                .join();
    }

    @Test
    void repeatsOneRequestThroughAnotherGateway() {
        String id = park("o-1", "vase").get(0);
        warehouse.broken.clear();
        String action = newId();
        List<CompletableFuture<ReceiptDetails>> same = List.of(
                shop.submitAsync(action, "REPLAY", id),
                receiver.submitAsync(action, "REPLAY", id),
                executor.submitAsync(action, "REPLAY", id));

        assertThat(same).allSatisfy(replay -> assertTotals(RepairReplica.get(replay), "applied"));
        assertThat(packed("o-1", "vase")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void letsViewersOnlyRead(Gateway gateway) {
        String id = park("o-1", "vase").get(0);
        RepairReplica asked = replica(gateway);
        Operator ana = asked.operator("ana");
        Operator viewer = new Operator("vera", Role.VIEWER, ana.via());
        String group =
                RepairReplica.get(asked.letters.groups(viewer)).groups().get(0).group();

        assertThat(problem(asked.letters.submit(new Submission(newId(), "REPLAY", id), viewer))
                        .code())
                .isEqualTo("role-required");
        assertThatThrownBy(() -> asked.letters.note(group, "mine", viewer)).isInstanceOf(OperatorProblem.class);
        assertThat(RepairReplica.get(asked.letters.note(group, "restock", ana)).noteBy())
                .isEqualTo("ana");
    }

    @Test
    void namesAServiceThatDoesNotAnswer() {
        List<String> ids = park("o-1", "vase");
        executor.close();
        receiver.close();

        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> RepairReplica.get(shop.letters.find(DeadLetterQuery.NEWEST, shop.operator("ana")))
                        .incomplete()
                        .equals(List.of("warehouse")));

        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> problem(shop.submitAsync(newId(), "REPLAY", ids.get(0)))
                .code()
                .equals("owner-unavailable"));
        assertThatThrownBy(() -> shop.receipt(newId()))
                .hasRootCauseInstanceOf(OperatorProblem.class)
                .rootCause()
                .hasMessageContaining("may have it: warehouse");
    }
}
