package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.tck.harness.StoredSequences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Checks that every journey has ended, and that each of its steps took effect once and was undone once. */
final class JourneyAudit {

    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final int PAGE = 2_000;

    private final JourneyReplica replica;

    JourneyAudit(JourneyReplica replica) {
        this.replica = replica;
    }

    /** Repeats the commands that start these journeys, and waits until all of them have ended. */
    JourneyAudit awaitEnded(List<String> journeys) {
        List<CompletableFuture<SagaState>> ended = journeys.stream()
                .map(journey -> replica.begin(journey).thenCompose(saga -> saga.whenEnded()))
                .toList();
        try {
            CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new))
                    .orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new AssertionError(
                    "still running: " + replica.service().sagaStates().countActive(List.of(Journeys.TYPE), 1_000)
                            + " journeys; " + replica.service().problems() + "; parked: "
                            + StoredSequences.findAll(replica.store().deadLetterStore(), "sagas"),
                    e);
        }
        for (int i = 0; i < journeys.size(); i++) {
            SagaStatus expected = isBad(journeys.get(i)) ? SagaStatus.COMPENSATED : SagaStatus.COMPLETED;
            assertThat(ended.get(i).join().status()).as(journeys.get(i)).isEqualTo(expected);
        }
        return this;
    }

    /** Checks that nothing happened twice or to another journey. New journeys of the second version have no room. */
    JourneyAudit everyStepTookEffectOnce(List<String> journeys) {
        Map<String, List<String>> trips = types(Journeys.TRIPS.stream());
        Map<String, List<String>> rooms = types(Journeys.ROOMS.stream());
        Map<String, Integer> effects = replica.payments().effects();
        assertThat(trips).containsOnlyKeys(journeys);
        assertThat(effects).as("payments and refunds").allSatisfy((effect, times) -> assertThat(times)
                .isEqualTo(1));
        for (String journey : journeys) {
            boolean bad = isBad(journey);
            assertThat(trips.get(journey))
                    .as(journey)
                    .filteredOn(type -> !type.equals("Audited"))
                    .containsExactly("Booked", bad ? "Cancelled" : "Confirmed");
            assertThat(trips.get(journey)).as(journey).doesNotHaveDuplicates();
            assertThat(effects).containsKey("pay " + journey);
            assertThat(effects.containsKey("refund " + journey)).as(journey).isEqualTo(bad);
            if (rooms.containsKey(journey)) {
                assertThat(rooms.get(journey))
                        .as(journey)
                        .isEqualTo(bad ? List.of("RoomReserved", "RoomReleased") : List.of("RoomReserved"));
            }
        }
        return this;
    }

    /** Returns the types of the events of each key, in order. */
    Map<String, List<String>> types(String stream) {
        Map<String, List<String>> types = new TreeMap<>();
        long position = 0;
        List<EventMessage> page;
        do {
            page = replica.store().eventLog().readStream(stream, position, PAGE);
            for (EventMessage event : page) {
                types.computeIfAbsent(event.key(), key -> new ArrayList<>())
                        .add(event.payload().type());
                position = event.position();
            }
        } while (!page.isEmpty());
        return types;
    }

    /** Returns how many journeys have not ended. */
    long running() {
        return replica.service().sagaStates().countActive(List.of(Journeys.TYPE), 1_000);
    }

    private static boolean isBad(String journey) {
        return journey.startsWith("bad-");
    }
}
