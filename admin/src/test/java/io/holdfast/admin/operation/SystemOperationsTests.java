package io.holdfast.admin.operation;

import static io.holdfast.admin.operation.OperationReplica.forced;
import static io.holdfast.admin.operation.OperationReplica.get;
import static io.holdfast.admin.operation.OperationReplica.newId;
import static io.holdfast.admin.operation.OperationReplica.problem;
import static io.holdfast.admin.operation.OperationReplica.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Requester;
import io.holdfast.admin.Warehouse;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastService;
import io.holdfast.token.ClaimedToken;
import io.holdfast.wire.ConsumerGroup;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Service warehouse has two replicas, which share the segments of shipping. Operators ask billing, another service. */
class SystemOperationsTests {

    private static final Duration GENEROUS = Duration.ofSeconds(20);
    private static final Map<String, String> NONE = Map.of();

    private final Warehouse warehouse = new Warehouse();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore store = new InMemoryStore("warehouse", Clock.systemUTC());
    private final OperationReplica first = warehouse("warehouse-1");
    private final OperationReplica second = warehouse("warehouse-2");
    private final OperationReplica billing = new OperationReplica(HoldfastService.named(
                    "billing", new InMemoryStore("billing", Clock.systemUTC()), wire)
            .replica("billing-1")
            .processor("invoices", processor -> processor
                    .reads("orders")
                    .calls(Component.of("labelling", new Warehouse.Labelling()).build())));

    private OperationReplica warehouse(String replica) {
        return new OperationReplica(HoldfastService.named("warehouse", store, wire)
                .replica(replica)
                .owns("orders")
                .processor("shipping", processor -> processor
                        .reads("orders")
                        .settings(ProcessorSettings.DEFAULT.segments(2))
                        .calls(Component.of("packing", warehouse.new Packing()).build()))
                .processor("labels", processor -> processor
                        .reads("orders")
                        .calls(Component.of("labelling", new Warehouse.Labelling())
                                .resettable()
                                .build())));
    }

    @BeforeEach
    void awaitReplicas() {
        await().atMost(GENEROUS)
                .until(() -> wire.directory().size() == 3
                        && billing.service.knownServices().size() == 2
                        && owners().equals(Set.of("warehouse-1", "warehouse-2"))
                        && Stream.of(first, second).allMatch(replica -> replica.service.processors().values().stream()
                                .noneMatch(processor ->
                                        processor.status().segments().isEmpty())));
    }

    @AfterEach
    void close() {
        Stream.of(first, second, billing).forEach(OperationReplica::close);
    }

    private List<ClaimedToken> segments() {
        return store.tokenStore().findAll("shipping");
    }

    private Set<String> owners() {
        return segments().stream()
                .map(segment -> String.valueOf(segment.owner()))
                .collect(Collectors.toSet());
    }

    private boolean isPaused() {
        return segments().stream().allMatch(segment -> segment.token().setup().paused());
    }

    private static void assertApplied(ReceiptDetails receipt) {
        assertThat(receipt.totals().toString()).isEqualTo("{selected=1, open=0, applied=1}");
        assertThat(receipt.state()).isEqualTo("DONE");
        assertThat(receipt.parts()).extracting("service").containsExactly("warehouse");
        assertThat(receipt.items().get(0).replica()).isIn("warehouse-1", "warehouse-2");
        assertThat(receipt.items().get(0).durable()).isNull();
    }

    private static void assertRefused(ReceiptDetails receipt, String detail) {
        assertThat(receipt.items()).hasSize(1);
        assertThat(receipt.items().get(0).outcome()).isEqualTo("REFUSED");
        assertThat(receipt.items().get(0).detail()).contains(detail);
    }

    @Test
    void pausesAndResumesAProcessor() {
        ReceiptDetails paused = billing.submit("warehouse", SystemOperation.PAUSE, "shipping", NONE);

        assertApplied(paused);
        assertThat(paused.target()).isEqualTo("processor shipping");
        assertThat(isPaused()).isTrue();

        assertApplied(billing.submit("warehouse", SystemOperation.RESUME, "shipping", NONE));
        assertThat(isPaused()).isFalse();
    }

    @Test
    void resetsAProcessor() {
        Warehouse.order(first.service, "o-1", "pen");
        await().atMost(GENEROUS).until(() -> labelled() == 1);

        ReceiptDetails reset =
                billing.submit("warehouse", SystemOperation.RESET, "labels", Map.of("from", "beginning"));

        assertApplied(reset);
        assertThat(reset.items().get(0).detail()).isEqualTo("generation 2");
        await().atMost(GENEROUS).until(() -> labelled() == 2);
    }

    private int labelled() {
        return first.service
                .views()
                .find(Warehouse.LABELLED, "o-1")
                .map(shelf -> shelf.items().getOrDefault("pen", 0))
                .orElse(0);
    }

    @Test
    void refusesAResetThatWouldRepeatEffects() {
        ReceiptDetails reset = billing.submit("warehouse", SystemOperation.RESET, "shipping", Map.of("from", "now"));

        assertRefused(reset, "not declared resettable");
        assertThat(segments()).allMatch(segment -> segment.token().setup().generation() == 1);
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void splitsAndMergesASegmentAtItsOwner(String segment) {
        ReceiptDetails split =
                billing.submit("warehouse", SystemOperation.SPLIT, "shipping", Map.of("segment", segment));

        assertApplied(awaitDone(split));
        assertThat(segments()).hasSize(3);

        ReceiptDetails merged =
                billing.submit("warehouse", SystemOperation.MERGE, "shipping", Map.of("segment", segment));

        assertThat(awaitDone(merged).items().get(0).outcome()).isIn("APPLIED", "REFUSED"); // the other may have moved
        assertThat(segments()).hasSize(merged(merged) ? 2 : 3);
    }

    private boolean merged(ReceiptDetails receipt) {
        return awaitDone(receipt).items().get(0).outcome().equals("APPLIED");
    }

    private ReceiptDetails awaitDone(ReceiptDetails receipt) {
        return await().atMost(GENEROUS)
                .until(
                        () -> get(billing.receipts.find(receipt.receiptId(), 0, billing.operator(Role.VIEWER)))
                                .receipt(),
                        ReceiptDetails::isDone);
    }

    @Test
    void releasesASegmentAtItsOwner() {
        String owner = owner(0);

        ReceiptDetails released =
                billing.submit("warehouse", SystemOperation.RELEASE, "shipping", Map.of("segment", "0"));

        assertApplied(awaitDone(released));
        assertThat(released.items().get(0).replica()).isEqualTo(owner);
        await().atMost(GENEROUS).until(() -> owner(0).equals("warehouse-1") || owner(0).equals("warehouse-2"));
    }

    private String owner(int segment) {
        return String.valueOf(segments().get(segment).owner());
    }

    @Test
    void acceptsNoRestoreIfTheSourceHasLostNothing() {
        Warehouse.order(first.service, "o-1", "pen");
        await().atMost(GENEROUS).until(() -> Warehouse.packed(first.service, "o-1", "pen") == 1);

        ReceiptDetails accepted =
                billing.submit("warehouse", SystemOperation.ACCEPT_RESTORE, "shipping", Map.of("stream", "orders"));

        assertRefused(awaitDone(accepted), "there is nothing to accept");
    }

    @Test
    void aRepeatedRequestTakesEffectOnce() {
        Submission split = submission(newId(), SystemOperation.SPLIT, "shipping", Map.of("segment", "0"));

        ReceiptDetails one = get(billing.operations.submit("warehouse", split, billing.operator(Role.OPERATOR)));
        awaitDone(one);
        ReceiptDetails again = get(first.operations.submit("warehouse", split, first.operator(Role.OPERATOR)));

        assertApplied(again);
        assertThat(again.receiptId()).isEqualTo(one.receiptId());
        assertThat(again.items().get(0).at())
                .isEqualTo(awaitDone(one).items().get(0).at());
        assertThat(segments()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PAUSE", "SPLIT"})
    void anotherReplicaRunsWhatADeadOneHasStaged(Kind kind) {
        String id = newId();
        Action action = Action.of(
                        id,
                        kind,
                        "processor shipping",
                        "hash",
                        new Requester("ana", "ADMIN", null, null),
                        List.of(new OperationItem("processor", "shipping")))
                .withOptions(Map.of("segment", "0"));

        store.actionStore().stage(action); // as a replica that dies right after

        await().atMost(GENEROUS).until(() -> receipt(id).isDone());
        assertThat(receipt(id).totals().outcomes().toString()).isEqualTo("{APPLIED=1}");
        assertThat(segments()).hasSize(kind == Kind.SPLIT ? 3 : 2);
        assertThat(isPaused()).isEqualTo(kind == Kind.PAUSE);
    }

    private Receipt receipt(String id) {
        return store.actionStore().find(List.of(id)).get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "nowhere,   PAUSE,          shipping, segment,  0,     404, service-unknown",
        "warehouse, PAUSE,          nothing,  segment,  0,     404, processor-unknown",
        "warehouse, SPLIT,          shipping, segment,  7,     404, segment-unknown",
        "warehouse, SPLIT,          shipping, segment,  x,     400, invalid-parameters",
        "warehouse, SPLIT,          shipping, position, 1,     400, invalid-parameters",
        "warehouse, RESET,          shipping, from,     later, 400, invalid-parameters",
        "warehouse, ACCEPT_RESTORE, shipping, stream,   stock, 400, invalid-parameters",
        "warehouse, OPEN_BREAKER,   nothing,  segment,  0,     404, breaker-unknown",
    })
    void refusesInvalidRequests(
            String owner,
            SystemOperation operation,
            String name,
            String option,
            String value,
            int status,
            String code) {
        var problem = billing.refused(owner, operation, name, Map.of(option, value), Role.ADMIN);

        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.action()).isNotBlank();
    }

    @Test
    void onlyAdminsReset() {
        var problem =
                billing.refused("warehouse", SystemOperation.RESET, "labels", Map.of("from", "now"), Role.OPERATOR);

        assertThat(problem.status()).isEqualTo(403);
        assertThat(segments()).allMatch(segment -> segment.token().setup().generation() == 1);
    }

    @Test
    void viewersDoNothing() {
        assertThat(billing.refused("warehouse", SystemOperation.PAUSE, "shipping", NONE, Role.VIEWER)
                        .status())
                .isEqualTo(403);
        assertThat(isPaused()).isFalse();
    }

    private List<String> groups() {
        return store.consumerGroups().findAll().stream()
                .map(ConsumerGroup::name)
                .toList();
    }

    private Submission deletion(String group) {
        return submission(newId(), SystemOperation.DELETE_GROUP, group, NONE);
    }

    private ReceiptDetails delete(Submission deletion, String group) {
        return get(
                billing.operations.submitToSource(group, service -> true, deletion, billing.operator(Role.OPERATOR)));
    }

    @Test
    void deletesAGroupThatNobodyReads() {
        store.consumerGroups().register("gone/reports", "orders");
        Submission deletion = deletion("gone/reports");

        assertApplied(delete(deletion, "gone/reports"));

        assertThat(groups()).doesNotContain("gone/reports");
        assertThat(delete(deletion, "gone/reports").receiptId()).isEqualTo(deletion.actionId());
    }

    @Test
    void deletesNoGroupThatALiveProcessorReads() {
        await().atMost(GENEROUS).until(() -> groups().contains("billing/invoices"));

        var live = problem(billing.operations.submitToSource(
                "billing/invoices", service -> true, deletion("billing/invoices"), billing.operator(Role.ADMIN)));

        assertThat(live.code()).isEqualTo("group-live");
        assertThat(groups()).contains("billing/invoices");

        ReceiptDetails deleted = get(billing.operations.submitToSource(
                "billing/invoices",
                service -> true,
                forced(SystemOperation.DELETE_GROUP, "billing/invoices"),
                billing.operator(Role.ADMIN)));
        assertApplied(deleted);
    }

    @Test
    void refusesToDeleteAnUnknownGroup() {
        var unknown = problem(billing.operations.submitToSource(
                "gone/reports", service -> true, deletion("gone/reports"), billing.operator(Role.ADMIN)));

        assertThat(unknown.code()).isEqualTo("group-unknown");
    }

    private List<CircuitBreaker.State> breakers() {
        return Stream.of(first, second)
                .map(replica -> replica.service
                        .resilience()
                        .circuitBreakers()
                        .circuitBreaker("carrier")
                        .getState())
                .toList();
    }

    @Test
    void opensAndClosesABreakerOnEachReplica() {
        Stream.of(first, second).forEach(replica -> replica.service.resilience().executeRunnable("carrier", () -> {}));

        ReceiptDetails opened = awaitDone(billing.submit("warehouse", SystemOperation.OPEN_BREAKER, "carrier", NONE));

        assertThat(breakers()).containsOnly(CircuitBreaker.State.FORCED_OPEN);
        assertThat(opened.totals().toString()).isEqualTo("{selected=2, open=0, applied=2}");
        assertThat(opened.items()).extracting("replica").containsExactlyInAnyOrder("warehouse-1", "warehouse-2");
        assertThat(opened.items()).extracting("durable").containsOnly(false);

        awaitDone(billing.submit("warehouse", SystemOperation.CLOSE_BREAKER, "carrier", NONE));
        assertThat(breakers()).containsOnly(CircuitBreaker.State.CLOSED);
    }

    @Test
    void reportsWhatTheOutboxHasPublished() {
        Warehouse.order(first.service, "o-1", "pen");
        await().atMost(GENEROUS).until(() -> first.service.publisher().pending() == 0);

        ReceiptDetails retried =
                awaitDone(billing.submit("warehouse", SystemOperation.RETRY_OUTBOX, "warehouse", NONE));

        assertApplied(retried);
        assertThat(retried.items().get(0).detail()).isEqualTo("published up to position 1");
    }

    @Test
    void reportsWhyTheOutboxStillFails() {
        await().atMost(GENEROUS).until(() -> Stream.of(first, second)
                .anyMatch(replica -> replica.service.publisher().status().publishing()));
        OperationReplica publisher = Stream.of(first, second)
                .filter(replica -> replica.service.publisher().status().publishing())
                .findFirst()
                .orElseThrow();
        wire.disconnect();
        Warehouse.order(publisher.service, "o-1", "pen");
        await().atMost(GENEROUS)
                .until(() -> publisher.service.publisher().status().problem() != null);

        ReceiptDetails retried = publisher.submit("warehouse", SystemOperation.RETRY_OUTBOX, "warehouse", NONE);

        assertRefused(retried, "publishing failed again");
    }
}
