package io.holdfast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.breaker.BreakerDetails;
import io.holdfast.admin.directory.ServiceDetails;
import io.holdfast.admin.directory.ServiceDetails.ReplicaDetails;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.outbox.OutboxDetails;
import io.holdfast.admin.processor.ProcessorDetails;
import io.holdfast.admin.processor.ProcessorDetails.Mode;
import io.holdfast.admin.saga.SagaQuery;
import io.holdfast.admin.stream.GroupDetails;
import io.holdfast.admin.stream.StreamDetails;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.wire.Announcement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Service warehouse has two replicas, which share the segments of shipping. Service billing reads its stream. */
class SystemListsTests {

    private static final Predicate<String> ALL = service -> true;
    private static final Duration GENEROUS = Duration.ofSeconds(20);
    /** Lists wait one second for answers. The rest is for a loaded machine. */
    private static final Duration LIST_TIME = Duration.ofSeconds(5);

    private final Warehouse warehouse = new Warehouse();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore store = new InMemoryStore("warehouse", Clock.systemUTC());
    private final AdminReplica first = new AdminReplica(warehouse("warehouse-1"));
    private final AdminReplica second = new AdminReplica(warehouse("warehouse-2"));
    private final AdminReplica billing = new AdminReplica(HoldfastService.named(
                    "billing", new InMemoryStore("billing", Clock.systemUTC()), wire)
            .replica("billing-1")
            .processor("invoices", processor -> processor
                    .reads("orders")
                    .calls(Component.of("labelling", new Warehouse.Labelling()).build())));

    private HoldfastServiceBuilder warehouse(String replica) {
        return HoldfastService.named("warehouse", store, wire)
                .replica(replica)
                .addresses("http://" + replica)
                .owns("orders")
                .processor("shipping", processor -> processor
                        .reads("orders")
                        .settings(ProcessorSettings.DEFAULT.segments(2))
                        .calls(Component.of("packing", warehouse.new Packing()).build()));
    }

    @BeforeEach
    void awaitReplicas() {
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> wire.directory().size() == 3
                        && List.of(first, second, billing).stream()
                                .allMatch(replica ->
                                        replica.service.knownServices().size() == 2));
    }

    @AfterEach
    void close() {
        Stream.of(first, second, billing).forEach(AdminReplica::close);
    }

    private Operator viewer() {
        return billing.operator(Role.VIEWER);
    }

    private static <T> T get(CompletableFuture<T> asked) {
        return asked.orTimeout(GENEROUS.toSeconds(), TimeUnit.SECONDS).join();
    }

    private ProcessorDetails shipping() {
        return get(billing.processors.list(viewer(), "warehouse"::equals))
                .entries()
                .get(0);
    }

    private void awaitSharedSegments() {
        await().atMost(GENEROUS).untilAsserted(() -> assertThat(shipping().segments())
                .extracting("owner")
                .containsExactlyInAnyOrder("warehouse-1", "warehouse-2"));
    }

    @Test
    void listsAProcessorOnceWithTheSegmentsOfAllReplicas() {
        awaitSharedSegments();

        ProcessorDetails shipping = shipping();

        assertThat(shipping.service()).isEqualTo("warehouse");
        assertThat(shipping.name()).isEqualTo("shipping");
        assertThat(shipping.components()).containsExactly("packing");
        assertThat(shipping.mode()).isEqualTo(Mode.RUNNING);
        assertThat(shipping.generation()).isEqualTo(1);
        assertThat(shipping.lag()).isZero();
        assertThat(shipping.problems()).isEmpty();
        assertThat(shipping.segments()).extracting("number").containsExactly(0, 1);
        assertThat(shipping.segments()).extracting("lag").containsExactly(0L, 0L);
    }

    @Test
    void countsParkedSequencesOfAllReplicas() {
        awaitSharedSegments();
        warehouse.broken.add("vase");
        for (int order = 0; order < 10; order++) {
            Warehouse.order(first.service, "o-" + order, "vase");
        }

        await().atMost(GENEROUS)
                .untilAsserted(() -> assertThat(shipping().parked()).isEqualTo(Map.of(SequenceState.PENDING, 10)));
    }

    @Test
    void showsAPausedProcessor() {
        first.service.processor("shipping").pause();

        await().atMost(GENEROUS)
                .untilAsserted(() -> assertThat(shipping().mode()).isEqualTo(Mode.PAUSED));
    }

    @Test
    void listsConsumerGroupsAtTheirSource() {
        Warehouse.order(first.service, "o-1", "pen", "ink");

        await().atMost(GENEROUS).untilAsserted(() -> {
            List<GroupDetails> groups =
                    get(billing.streams.groups(viewer(), ALL)).entries();
            assertThat(groups)
                    .extracting(GroupDetails::service, GroupDetails::name, GroupDetails::stream)
                    .map(Object::toString)
                    .containsExactly(
                            "(\"warehouse\", \"billing/invoices\", \"orders\")",
                            "(\"warehouse\", \"warehouse/shipping\", \"orders\")");
            assertThat(groups).extracting(GroupDetails::head).containsOnly(2L);
            assertThat(groups).extracting(GroupDetails::lag).containsOnly(0L);
        });
    }

    @Test
    void listsStreamsWithTheirReaders() {
        Warehouse.order(first.service, "o-1", "pen");

        await().atMost(GENEROUS).untilAsserted(() -> {
            StreamDetails orders = get(billing.streams.streams(viewer(), ALL)).entries().stream()
                    .filter(stream -> stream.name().equals("orders"))
                    .findFirst()
                    .orElseThrow();
            assertThat(orders.service()).isEqualTo("warehouse");
            assertThat(orders.position()).isEqualTo(1);
            assertThat(orders.epoch()).isEqualTo(1);
            assertThat(orders.log()).isEqualTo(store.eventLog().identity().id());
            assertThat(orders.eventId()).isNotNull();
            assertThat(orders.readers()).containsExactly("billing/invoices", "warehouse/shipping");
        });
    }

    private OutboxDetails outbox(AdminReplica gateway) {
        return get(gateway.outboxes.list(viewer(), "warehouse"::equals))
                .entries()
                .get(0);
    }

    @Test
    void listsOneOutboxPerService() {
        Warehouse.order(first.service, "o-1", "pen");

        await().atMost(GENEROUS).untilAsserted(() -> {
            OutboxDetails outbox = outbox(billing);
            assertThat(outbox.service()).isEqualTo("warehouse");
            assertThat(outbox.publisher()).isIn("warehouse-1", "warehouse-2");
            assertThat(outbox.position()).isEqualTo(1);
            assertThat(outbox.pending()).isZero();
            assertThat(outbox.oldest()).isNull();
            assertThat(outbox.problem()).isNull();
        });
    }

    @Test
    void showsAnOutboxThatCannotPublish() {
        second.close();
        await().atMost(GENEROUS).until(() -> "warehouse-1".equals(outbox(first).publisher()));
        wire.disconnect();
        Warehouse.order(first.service, "o-1", "pen");

        await().atMost(GENEROUS).untilAsserted(() -> {
            OutboxDetails outbox = outbox(first);
            assertThat(outbox.pending()).isEqualTo(1);
            assertThat(outbox.oldest()).isNotNull();
            assertThat(outbox.problem()).isNotBlank();
        });
    }

    @Test
    void listsTheBreakersOfEachReplica() {
        first.service.resilience().executeRunnable("carrier", () -> {});
        second.service.resilience().circuitBreakers().circuitBreaker("carrier").transitionToOpenState();

        List<BreakerDetails> breakers = get(billing.breakers.list(viewer(), ALL)).entries().stream()
                .filter(breaker -> breaker.name().equals("carrier"))
                .toList();

        assertThat(breakers)
                .extracting(BreakerDetails::replica, BreakerDetails::state, BreakerDetails::calls)
                .map(Object::toString)
                .containsExactly("(\"warehouse-1\", \"CLOSED\", 1)", "(\"warehouse-2\", \"OPEN\", 0)");
        assertThat(breakers).extracting(BreakerDetails::failureRate).containsOnlyNulls();
    }

    @Test
    void listsServicesWithTheirReplicas() {
        List<ServiceDetails> services = billing.directory.all();

        assertThat(services).extracting(ServiceDetails::name).containsExactly("billing", "warehouse");
        assertThat(services).allMatch(ServiceDetails::live);
        assertThat(services.get(1).replicas())
                .containsExactly(
                        new ReplicaDetails(
                                "warehouse-1",
                                List.of("http://warehouse-1"),
                                List.of("orders", "warehouse.deadlines"),
                                List.of("warehouse/shipping/packing")),
                        new ReplicaDetails(
                                "warehouse-2",
                                List.of("http://warehouse-2"),
                                List.of("orders", "warehouse.deadlines"),
                                List.of("warehouse/shipping/packing")));
    }

    /** Restarting the wire empties the directory; live replicas announce themselves again. */
    private void silence(String service) {
        announce(service);
        await().atMost(GENEROUS).until(() -> Stream.of(first, second, billing)
                .allMatch(replica -> replica.service.knownServices().stream()
                        .anyMatch(known -> known.name().equals(service))));
        wire.restart();
        await().atMost(GENEROUS).until(() -> wire.directory().size() == 3);
    }

    private void announce(String service) {
        wire.announce(new Announcement(service, service + "-1", List.of(), List.of(), List.of(), List.of()));
    }

    private ServiceDetails details(AdminReplica replica, String name) {
        return replica.directory.all().stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void showsSinceWhenAServiceIsSilent() {
        silence("gone");

        ServiceDetails gone = details(billing, "gone");

        assertThat(gone.live()).isFalse();
        assertThat(gone.silentSince()).isNotNull().isEqualTo(gone.firstSeen());
        assertThat(gone.replicas()).isEmpty();
    }

    private List<String> incomplete(AdminReplica gateway) {
        return get(gateway.processors.list(gateway.operator(Role.VIEWER), ALL)).incomplete();
    }

    @Test
    void forgetsASilentServiceEverywhere() {
        silence("gone");
        assertThat(List.of(first, second, billing))
                .allSatisfy(replica -> assertThat(incomplete(replica)).containsExactly("gone"));

        List<String> stillKnownBy = get(billing.directory.forget("gone", billing.operator(Role.OPERATOR)));

        assertThat(stillKnownBy).isEmpty();
        assertThat(List.of(first, second, billing))
                .allSatisfy(replica -> assertThat(incomplete(replica)).isEmpty());
        assertThat(store.knownServices().findAll()).extracting("name").containsExactly("billing", "warehouse");
        assertThat(problem("gone", Role.OPERATOR).status()).isEqualTo(404);
    }

    private OperatorProblem.Problem problem(String service, Role role) {
        try {
            billing.directory.forget(service, billing.operator(role)).get(GENEROUS.toSeconds(), TimeUnit.SECONDS);
        } catch (OperatorProblem e) {
            return e.problem();
        } catch (ExecutionException e) {
            return ((OperatorProblem) e.getCause()).problem();
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
        throw new AssertionError(service + " was forgotten");
    }

    @Test
    void forgetsNoLiveService() {
        assertThat(problem("warehouse", Role.OPERATOR).code()).isEqualTo("service-live");
        assertThat(problem("billing", Role.OPERATOR).code()).isEqualTo("service-live");
        assertThat(problem("warehouse", Role.OPERATOR).status()).isEqualTo(409);
        assertThat(store.knownServices().findAll()).hasSize(2);
    }

    @Test
    void viewersForgetNoService() {
        silence("gone");

        assertThat(problem("gone", Role.VIEWER).status()).isEqualTo(403);
        assertThat(store.knownServices().findAll()).extracting("name").contains("gone");
    }

    @Test
    void reportsWhichServiceMayStillKnowAForgottenOne() {
        silence("gone");
        announce("mute");

        List<String> stillKnownBy = get(billing.directory.forget("gone", billing.operator(Role.OPERATOR)));

        assertThat(stillKnownBy).containsExactly("mute");
    }

    /** Four services: two that answer, one that is live and does not answer, one that is silent. */
    @ParameterizedTest
    @MethodSource("lists")
    void eachListAnswersInTimeAndNamesTheServicesThatDoNot(
            String name, BiFunction<AdminReplica, Operator, CompletableFuture<List<String>>> list) {
        silence("gone");
        announce("mute");
        long start = System.nanoTime();

        List<String> incomplete = get(list.apply(billing, viewer()));

        assertThat(incomplete).as(name).containsExactly("gone", "mute");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIST_TIME);
    }

    static Stream<Object[]> lists() {
        return Stream.of(
                list("processors", (replica, operator) -> replica.processors.list(operator, ALL)),
                list("groups", (replica, operator) -> replica.streams.groups(operator, ALL)),
                list("streams", (replica, operator) -> replica.streams.streams(operator, ALL)),
                list("outbox", (replica, operator) -> replica.outboxes.list(operator, ALL)),
                list("breakers", (replica, operator) -> replica.breakers.list(operator, ALL)),
                list("sagas", (replica, operator) -> replica.sagas
                        .list(operator, new SagaQuery(null, null, null, null, null, 20), ALL)
                        .thenApply(found -> new GatheredList<>(found.sagas(), found.incomplete()))));
    }

    private static <E> Object[] list(
            String name, BiFunction<AdminReplica, Operator, CompletableFuture<GatheredList<E>>> list) {
        BiFunction<AdminReplica, Operator, CompletableFuture<List<String>>> incomplete =
                (replica, operator) -> list.apply(replica, operator).thenApply(GatheredList::incomplete);
        return new Object[] {name, incomplete};
    }

    @Test
    void asksOnlyTheSelectedService() {
        silence("gone");

        GatheredList<OutboxDetails> outboxes = get(billing.outboxes.list(viewer(), "billing"::equals));

        assertThat(outboxes.entries()).extracting(OutboxDetails::service).containsExactly("billing");
        assertThat(outboxes.incomplete()).isEmpty();
    }

    @Test
    void listsThisServiceWithoutTheWire() {
        wire.disconnect();

        GatheredList<ProcessorDetails> processors = get(billing.processors.list(viewer(), ALL));

        assertThat(processors.entries()).extracting(ProcessorDetails::service).containsExactly("billing");
        assertThat(processors.incomplete()).containsExactly("warehouse");
    }
}
