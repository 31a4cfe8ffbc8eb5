package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.web.AdminClient.Response;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.Wire;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
        classes = SagaTests.Travel.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.application.name=travel",
            "framework.store=memory",
            "saga.timeout.saga-types.Trip=10m",
            "server.address=127.0.0.1"
        })
class SagaTests {

    private static final String SAGAS = "/api/sagas";
    private static final Pattern NEXT = Pattern.compile("<(.+)>; rel=\"next\"");

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
    void showsAnOpenSagaAndWhatItAwaits() {
        String saga = append(new Booked());

        Response response = client.get(SAGAS + "/" + saga);

        assertThat(response.status()).isEqualTo(200);
        assertThat(names(response.json()))
                .containsExactly(
                        "sagaId",
                        "sagaType",
                        "kind",
                        "status",
                        "version",
                        "service",
                        "key",
                        "correlationId",
                        "startedAt",
                        "deadline",
                        "steps",
                        "expected");
        assertThat(response.field("sagaId")).isEqualTo(saga);
        assertThat(response.field("sagaType")).isEqualTo("Trip");
        assertThat(response.field("kind")).isEqualTo("CHOREOGRAPHED");
        assertThat(response.field("status")).isEqualTo("STARTED");
        assertThat(response.field("service")).isEqualTo("travel");
        assertThat(response.field("key")).isEqualTo(saga.substring("saga-".length()));
        assertThat(response.field("correlationId")).isEqualTo("correlation-" + saga);
        JsonNode done = response.json().path("steps").path(0);
        assertThat(names(done))
                .containsExactly("stepNumber", "name", "service", "status", "eventId", "completedAt", "compensation");
        assertThat(done.path("compensation").toString()).isEqualTo("{\"eventType\":\"Cancelled\"}");
        JsonNode expected = response.json().path("expected").path(0);
        assertThat(names(expected)).containsExactly("stepNumber", "eventType", "service", "sinceMs", "overdue");
        assertThat(expected.path("stepNumber").asInt()).isEqualTo(1);
        assertThat(expected.path("eventType").asString()).isEqualTo("CarRented");
        assertThat(expected.path("overdue").asBoolean()).isFalse();
    }

    @Test
    void showsHowASagaWasCompensated() {
        String saga = append(new Booked(), new CarRented(), new RoomRefused("no room"), new CarReturned());
        append(saga, new Cancelled());

        Response response = client.get(SAGAS + "/" + saga);

        assertThat(response.field("status")).isEqualTo("COMPENSATED");
        assertThat(response.field("reason")).isEqualTo("no room");
        assertThat(names(response.json())).contains("endedAt").doesNotContain("timedOutAt", "attention", "suspended");
        assertThat(response.json().path("expected").size()).isZero();
        JsonNode car = response.json().path("steps").path(1);
        assertThat(car.path("status").asString()).isEqualTo("COMPENSATED");
        assertThat(car.path("durationMs").isIntegralNumber()).isTrue();
        assertThat(names(car.path("compensation"))).containsExactly("eventType", "eventId", "completedAt");
        assertThat(car.path("compensation").path("eventType").asString()).isEqualTo("CarReturned");
        JsonNode room = response.json().path("steps").path(2);
        assertThat(room.path("status").asString()).isEqualTo("FAILED");
        assertThat(room.path("failureReason").asString()).isEqualTo("no room");
        assertThat(names(room)).contains("eventId", "completedAt").doesNotContain("durationMs", "attempts");
    }

    @Test
    void showsAWithdrawnStepAndWhySagaNeedsAttention() {
        String saga = append(new Booked(), new RoomWithdrawn(), new CarRented(), new Cancelled(), new Confirmed());

        Response response = client.get(SAGAS + "/" + saga);

        assertThat(response.field("status")).isEqualTo("COMPENSATING");
        assertThat(response.field("attention")).contains("Confirmed of service travel came while");
        JsonNode room = response.json().path("steps").path(2);
        assertThat(room.path("status").asString()).isEqualTo("WITHDRAWN");
        assertThat(room.path("compensation").path("eventType").asString()).isEqualTo("RoomWithdrawn");
        assertThat(client.get(SAGAS + "?attention=true&limit=200").all("sagaId"))
                .contains(saga);
        assertThat(client.get(SAGAS + "?attention=false&limit=200").all("sagaId"))
                .doesNotContain(saga);
    }

    @Test
    void listsNewestFirstInPages() {
        List<String> started = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> started.add(0, append(new Booked())));

        List<String> listed = new ArrayList<>();
        String path = SAGAS + "?type=Trip&status=started&limit=2";
        while (!path.isEmpty()) {
            Response page = client.get(path);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            assertThat(page.json().size()).isBetween(1, 2);
            listed.addAll(page.all("sagaId"));
            path = next(page);
        }

        assertThat(listed).doesNotHaveDuplicates().startsWith(started.toArray(String[]::new));
    }

    @Test
    void filtersByStatus() {
        String open = append(new Booked());
        String completed = append(new Booked(), new CarRented(), new RoomBooked(), new Confirmed());

        assertThat(client.get(SAGAS + "?status=COMPLETED&limit=200").all("sagaId"))
                .contains(completed)
                .doesNotContain(open);
        assertThat(client.get(SAGAS + "?status=&limit=200").all("sagaId")).contains(completed, open);
    }

    @Test
    void reportsAllInvalidParametersAtOnce() {
        Response response =
                client.get(SAGAS + "?status=lost&attention=maybe&limit=0&overdue=perhaps&cursor=abc&since=1h");

        WarehouseTest.assertProblem(response, 400);
        assertThat(response.json().path("errors").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder(
                        "since is not a parameter; the parameters are status, type, attention, overdue, cursor, limit",
                        "status must be one of [PLACEHOLDER, STARTED, IN_PROGRESS, TIMED_OUT, COMPENSATING, COMPLETED,"
                                + " COMPENSATED, FAILED], but is lost",
                        "attention must be true or false, but is maybe",
                        "overdue must be true or false, but is perhaps",
                        "limit must be a number, 1 to 200, but is 0",
                        "cursor must be one from a Link header, but is abc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z ", "yesterday saga-1"})
    void rejectsInventedCursors(String text) {
        String cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));

        WarehouseTest.assertProblem(client.get(SAGAS + "?cursor=" + cursor), 400);
    }

    @Test
    void rejectsTypesThatItDoesNotTrack() {
        Response response = client.get(SAGAS + "?type=Tour");

        WarehouseTest.assertProblem(response, 400);
        assertThat(response.field("detail"))
                .isEqualTo("type: service travel does not track sagas of type Tour; it tracks Trip");
    }

    @Test
    void listsDeclaredTypes() {
        Response response = client.get(SAGAS + "/types");

        assertThat(response.all("sagaType")).containsExactly("Trip");
        JsonNode trip = response.json().path(0);
        assertThat(trip.path("service").asString()).isEqualTo("travel");
        assertThat(trip.path("deadlineMs").asLong()).isEqualTo(600_000);
        assertThat(trip.path("steps").size()).isEqualTo(4);
        assertThat(trip.path("steps").path(2).path("failedBy").toString()).isEqualTo("[\"RoomRefused\"]");
    }

    @Test
    void drawsSagasAndTypes() {
        String saga = append(new Booked());

        Response run = client.get(SAGAS + "/" + saga + "/diagram");
        Response type = client.get(SAGAS + "/types/Trip/diagram");

        assertThat(run.contentType()).startsWith("text/plain");
        assertThat(run.text()).startsWith("sequenceDiagram\n").contains("Booked");
        assertThat(type.contentType()).startsWith("text/plain");
        assertThat(type.text()).startsWith("stateDiagram-v2\n").contains("CarRented");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/saga-unknown", "/saga-unknown/diagram", "/types/Tour/diagram"})
    void reportsWhatDoesNotExist(String path) {
        WarehouseTest.assertProblem(client.get(SAGAS + path), 404);
    }

    private static List<String> names(JsonNode object) {
        return List.copyOf(object.propertyNames());
    }

    /** Returns the path of the next page, or an empty text. */
    static String next(Response page) {
        Matcher link = NEXT.matcher(page.link());
        if (!link.matches()) {
            assertThat(page.link()).isEmpty();
            return "";
        }
        URI uri = URI.create(link.group(1));
        return uri.getRawPath() + "?" + uri.getRawQuery();
    }

    /** Starts a saga with these events and returns its id. */
    private String append(Object... events) {
        return append("saga-" + UUID.randomUUID(), events);
    }

    private String append(String saga, Object... events) {
        Command command = Command.once(Clock.systemUTC())
                .inSaga("Trip", saga)
                .with(Metadata.none().withCorrelationId("correlation-" + saga));
        service.commands().execute(command, Trip.TYPE, saga.substring("saga-".length()), trip -> List.of(events));
        return saga;
    }

    record Trip() {

        static final AggregateType<Trip> TYPE = AggregateType.of("trips", Trip.class, new Trip())
                .on(Booked.class, (trip, event) -> trip)
                .on(Cancelled.class, (trip, event) -> trip)
                .on(CarRented.class, (trip, event) -> trip)
                .on(CarReturned.class, (trip, event) -> trip)
                .on(RoomBooked.class, (trip, event) -> trip)
                .on(RoomRefused.class, (trip, event) -> trip)
                .on(RoomWithdrawn.class, (trip, event) -> trip)
                .on(Confirmed.class, (trip, event) -> trip)
                .build();
    }

    record Booked() {}

    record Cancelled() {}

    record CarRented() {}

    record CarReturned() {}

    record RoomBooked() {}

    record RoomRefused(String reason) {}

    record RoomWithdrawn() {}

    record Confirmed() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Travel {

        @Bean
        Wire wire() {
            return new InMemoryWire();
        }

        @Bean
        AggregateType<Trip> trips() {
            return Trip.TYPE;
        }

        @Bean
        CompensationRegistrar trip(CompensationRegistry registry) {
            return () -> registry.saga("Trip")
                    .streams("trips")
                    .register("Booked", "Cancelled", "travel")
                    .register("CarRented", "CarReturned", "travel")
                    .register("RoomBooked", "RoomReturned", "travel")
                    .failedBy("RoomRefused")
                    .withdrawnBy("RoomWithdrawn")
                    .completedBy("Confirmed", "travel")
                    .cancelBy((saga, decision) -> decision.append(Trip.TYPE, saga.key(), new Cancelled()));
        }
    }
}
