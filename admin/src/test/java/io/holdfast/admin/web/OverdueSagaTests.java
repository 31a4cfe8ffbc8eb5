package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.web.AdminClient.Response;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.view.View;
import io.holdfast.wire.Wire;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;

/** A service whose store contains the statistics of earlier sagas: a parcel is usually packed within 64 ms. */
@SpringBootTest(
        classes = OverdueSagaTests.Shipping.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.application.name=shipping",
            "framework.store=memory",
            "saga.timeout.saga-types.Parcel=10m",
            "server.address=127.0.0.1"
        })
class OverdueSagaTests {

    private static final String SAGAS = "/api/sagas";

    @Autowired
    HoldfastService service;

    @LocalServerPort
    int port;

    private AdminClient client;

    @BeforeEach
    void connect() {
        client = new AdminClient(port);
    }

    @Test
    void showsHowLongAnEventIsUsuallyAwaited() {
        String saga = append(new Ordered());

        JsonNode packed = await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> expected(saga), this::isUsualKnown);

        assertThat(List.copyOf(packed.propertyNames()))
                .containsExactly("stepNumber", "eventType", "service", "sinceMs", "usualMs", "overdue");
        assertThat(packed.path("usualMs").toString()).isEqualTo("{\"p50\":16,\"p99\":64}");
        append(saga, new Packed());
        JsonNode shipped = expected(saga);
        assertThat(shipped.path("eventType").asString()).isEqualTo("Shipped");
        assertThat(shipped.has("usualMs")).isFalse();
    }

    @Test
    void findsSagasThatWaitMuchLongerThanUsual() {
        String ended = append(new Ordered(), new Packed(), new Shipped());
        String waitingForShipment = append(new Ordered(), new Packed());
        String late = append(new Ordered());

        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> expected(late).path("overdue").asBoolean());

        assertThat(list("overdue=true")).contains(late).doesNotContain(ended, waitingForShipment);
        assertThat(list("overdue=false")).contains(ended, waitingForShipment).doesNotContain(late);
        assertThat(list("overdue=true&status=STARTED&type=Parcel&attention=false"))
                .contains(late);
        assertThat(list("overdue=true&status=IN_PROGRESS")).isEmpty();
        assertThat(list("overdue=true&status=COMPLETED")).isEmpty();
        assertThat(list("overdue=true&attention=true")).isEmpty();
        assertThat(list("overdue=false&status=COMPLETED")).contains(ended).doesNotContain(waitingForShipment);
        append(late, new Packed());
        assertThat(list("overdue=true")).doesNotContain(late);
    }

    @Test
    void listsOverdueSagasInPages() {
        List<String> late = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            late.add(0, append(new Ordered()));
            append(new Ordered(), new Packed());
        }
        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .until(() -> expected(late.get(0)).path("overdue").asBoolean());

        List<String> listed = new ArrayList<>();
        String path = SAGAS + "?overdue=true&limit=2";
        while (!path.isEmpty()) {
            Response page = client.get(path);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            assertThat(page.json().size()).isBetween(1, 2);
            listed.addAll(page.all("sagaId"));
            path = SagaTests.next(page);
        }

        assertThat(listed).doesNotHaveDuplicates().containsSubsequence(late);
    }

    private boolean isUsualKnown(JsonNode expected) {
        return expected.has("usualMs");
    }

    private JsonNode expected(String saga) {
        return client.get(SAGAS + "/" + saga).json().path("expected").path(0);
    }

    private List<String> list(String query) {
        return client.get(SAGAS + "?limit=200&" + query).all("sagaId");
    }

    private String append(Object... events) {
        return append("saga-" + UUID.randomUUID(), events);
    }

    private String append(String saga, Object... events) {
        Command command = Command.once(Clock.systemUTC()).inSaga("Parcel", saga);
        service.commands().execute(command, Parcel.TYPE, saga.substring("saga-".length()), parcel -> List.of(events));
        return saga;
    }

    /** A row of the statistics as an earlier release may have stored it: [bucket, count, bucket, count, …] by step. */
    record Statistics(Instant halvedAt, Map<String, List<Long>> done) {

        static final View<Statistics> VIEW = new View<>("saga-statistics", Statistics.class);

        static Statistics packedWithin64Milliseconds() {
            return new Statistics(
                    Instant.now(), Map.of("Packed", List.of(16L, 90L, 24L, 20L), "Shipped", List.of(16L, 90L)));
        }
    }

    record Parcel() {

        static final AggregateType<Parcel> TYPE = AggregateType.of("parcels", Parcel.class, new Parcel())
                .on(Ordered.class, (parcel, event) -> parcel)
                .on(Cancelled.class, (parcel, event) -> parcel)
                .on(Packed.class, (parcel, event) -> parcel)
                .on(Shipped.class, (parcel, event) -> parcel)
                .build();
    }

    record Ordered() {}

    record Cancelled() {}

    record Packed() {}

    record Shipped() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shipping {

        @Bean
        Wire wire() {
            return new InMemoryWire();
        }

        @Bean
        Store store(Wire wire) {
            Store store = new InMemoryStore("shipping", Clock.systemUTC());
            try (HoldfastService earlier =
                    HoldfastService.named("shipping", store, wire).build()) {
                earlier.acceptCommands();
                earlier.commands()
                        .execute(
                                Command.once(Clock.systemUTC()),
                                decision -> decision.put(
                                        Statistics.VIEW, "Parcel", Statistics.packedWithin64Milliseconds()));
            }
            return store;
        }

        @Bean
        AggregateType<Parcel> parcels() {
            return Parcel.TYPE;
        }

        @Bean
        CompensationRegistrar parcel(CompensationRegistry registry) {
            return () -> registry.saga("Parcel")
                    .streams("parcels")
                    .register("Ordered", "Cancelled", "shipping")
                    .register("Packed", "Unpacked", "shipping")
                    .completedBy("Shipped", "shipping")
                    .cancelBy((saga, decision) -> decision.append(Parcel.TYPE, saga.key(), new Cancelled()));
        }
    }
}
