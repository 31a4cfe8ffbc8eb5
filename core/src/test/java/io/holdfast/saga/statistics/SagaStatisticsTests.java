package io.holdfast.saga.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations.Step;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.view.ViewRows;
import java.time.Clock;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The statistics of a whole service, with real threads. */
class SagaStatisticsTests {

    private static final AggregateType<Trip> TRIPS = AggregateType.of("trips", Trip.class, new Trip())
            .on(Booked.class, (trip, event) -> trip)
            .on(Confirmed.class, (trip, event) -> trip)
            .build();

    private final Clock clock = Clock.systemUTC();
    private final InMemoryStore store = new InMemoryStore("travel", clock);

    @Test
    void areStoredWhenTheServiceClosesAndReadWhenItStarts() {
        try (HoldfastService travel = service().start()) {
            IntStream.range(0, 100).forEach(trip -> confirm(travel, "t-" + trip));
        }

        TypeStatistics stored = new ViewRows(store.viewStore(), new PayloadCodec())
                .find(TypeStatistics.VIEW, Trips.TYPE)
                .orElseThrow();
        assertThat(stored.done().get("Confirmed"))
                .extracting(DurationHistogram::count)
                .isEqualTo(100L);
        try (HoldfastService restarted = service().start()) {
            UsualDuration usual = await().until(
                            () -> restarted.usualDurations().byStep().get(new Step(Trips.TYPE, "Confirmed", false)),
                            found -> found != null);
            assertThat(usual.p99()).isPositive();
        }
    }

    @Test
    void areEmptyInAServiceThatTracksNoSagas() {
        try (HoldfastService service =
                HoldfastService.named("travel", store, new InMemoryWire()).start()) {
            assertThat(service.usualDurations().byStep()).isEmpty();
        }
    }

    private HoldfastServiceBuilder service() {
        return HoldfastService.named("travel", store, new InMemoryWire())
                .owns("trips")
                .sagas(SagaStatisticsTests::declare);
    }

    private static void declare(CompensationRegistry registry) {
        registry.saga(Trips.TYPE)
                .streams("trips")
                .register("Booked", "Cancelled", "travel")
                .completedBy("Confirmed", "travel")
                .cancelBy((saga, decision) -> {});
    }

    private void confirm(HoldfastService travel, String trip) {
        Command command = Command.once(clock).inSaga(Trips.TYPE, "saga-" + trip);
        travel.commands().execute(command, TRIPS, trip, state -> List.of(new Booked(), new Confirmed()));
    }

    record Trip() {}

    record Booked() {}

    record Confirmed() {}
}
