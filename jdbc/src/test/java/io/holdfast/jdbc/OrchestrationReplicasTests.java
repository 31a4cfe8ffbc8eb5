package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.InvalidSettingsException;
import io.holdfast.jdbc.JourneyReplica.Version;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.orchestration.SagaOrchestrations;
import io.holdfast.saga.orchestration.SagaStreams;
import io.holdfast.testsupport.JavaProcess;
import io.holdfast.testsupport.PostgresqlServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Orchestrated sagas over two replicas of a service, while their definition gains, renames and loses a step. */
class OrchestrationReplicasTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String url = PostgresqlServer.sharedDurable().newDatabase();

    @Test
    void sagasFinishWhileTheirDefinitionGainsRenamesAndLosesAStep() {
        List<String> early = journeys("early", 60);
        List<String> old = journeys("old", 20);
        List<String> fresh = journeys("fresh", 20);
        List<String> all = Stream.of(early, old, fresh).flatMap(List::stream).toList();

        try (JourneyReplica second = startOnBoth(early, old, fresh)) {
            JourneyAudit audit = new JourneyAudit(second).awaitEnded(all).everyStepTookEffectOnce(all);

            assertThat(audit.types(Journeys.ROOMS.stream()).keySet())
                    .as("sagas that had reached the retired step, and perhaps some of those that had not")
                    .containsAll(early)
                    .doesNotContainAnyElementsOf(fresh);
            assertThat(audit.types(Journeys.TRIPS.stream())).allSatisfy((journey, types) -> {
                if (journey.startsWith("trip-fresh")) {
                    assertThat(types).contains("Audited");
                }
            });
            List<SagaState> sagas =
                    second.service().sagaStates().list(List.of(Journeys.TYPE), null, null, null, all.size()).stream()
                            .map(StoredSaga::state)
                            .toList();
            assertThat(sagas)
                    .filteredOn(saga -> saga.steps().containsKey("pay"))
                    .hasSize(early.size() + old.size());
            assertThat(sagas)
                    .filteredOn(saga -> saga.steps().containsKey("charge"))
                    .hasSize(fresh.size());
        }
    }

    @Test
    void callersLearnSoonThatASagaHasEndedInAnotherProcess() {
        List<String> journeys =
                IntStream.range(0, 100).mapToObj(i -> "trip-" + i).toList();
        Set<String> confirmedHere = ConcurrentHashMap.newKeySet();
        Set<String> confirmedThere = ConcurrentHashMap.newKeySet();
        try (JavaProcess other = JourneyProcess.start(url, confirmedThere::add);
                JourneyReplica here = JourneyReplica.open(url, "here", Version.FIRST, confirmedHere::add)) {
            other.awaitLine(JourneyProcess.READY::equals);
            awaitSharedSegments(here);
            Map<String, Duration> delays = new ConcurrentHashMap<>();
            CompletableFuture.allOf(journeys.stream()
                            .map(journey -> here.begin(journey)
                                    .thenCompose(saga -> saga.whenEnded())
                                    .thenAccept(saga -> delays.put(
                                            journey,
                                            Duration.between(saga.endedAt().orElseThrow(), Instant.now()))))
                            .toArray(CompletableFuture[]::new))
                    .orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            other.awaitUntil(() -> confirmedHere.size() + confirmedThere.size() >= journeys.size());

            delays.keySet().removeAll(confirmedHere);
            List<Duration> sorted = delays.values().stream().sorted().toList();
            System.out.printf(
                    "%d of %d sagas ended in the other process; their caller learned it after %d ms (median), at most %d ms%n",
                    sorted.size(),
                    journeys.size(),
                    sorted.get(sorted.size() / 2).toMillis(),
                    sorted.get(sorted.size() - 1).toMillis());
            assertThat(sorted).hasSizeGreaterThan(5);
            assertThat(sorted.get(sorted.size() / 2)).isLessThan(Duration.ofSeconds(1));
        }
    }

    private static void awaitSharedSegments(JourneyReplica replica) {
        await().atMost(BOUND).until(() -> {
            List<SegmentStatus> segments = replica.service()
                    .processor(SagaOrchestrations.PROCESSOR)
                    .status()
                    .segments();
            long claimed = segments.stream().filter(SegmentStatus::claimed).count();
            return claimed > 0 && claimed < segments.size();
        });
    }

    /** Starts journeys on a replica of each version, and ends the older replica while they run. */
    private JourneyReplica startOnBoth(List<String> early, List<String> old, List<String> fresh) {
        try (JourneyReplica first = JourneyReplica.open(url, "first", Version.FIRST)) {
            pause(first.service().processor(Journeys.ROOMS_PROCESSOR));
            begin(first, early);
            await().atMost(BOUND).until(() -> reserving(first)
                    .containsAll(early.stream().map(JourneyReplica::sagaOf).toList()));
            assertThatThrownBy(() -> JourneyReplica.open(url, "wrong", Version.WITHOUT_RESERVE))
                    .isInstanceOf(InvalidSettingsException.class)
                    .hasMessageContaining("step Journey/reserve is not declared, but 60 running sagas have it: saga-");
            JourneyReplica second = JourneyReplica.open(url, "second", Version.SECOND);
            begin(first, old);
            begin(second, fresh);
            first.service().processor(Journeys.ROOMS_PROCESSOR).resume();
            await().atMost(BOUND).until(() -> new JourneyAudit(second).running() < early.size());
            return second;
        }
    }

    private static void pause(EventProcessor processor) {
        await().atMost(BOUND).until(() -> processor.status().isClaimed());
        processor.pause();
        await().atMost(BOUND).until(() -> processor.status().paused());
    }

    /** Returns the sagas that await a room. */
    private static Set<String> reserving(JourneyReplica replica) {
        Map<String, List<String>> commands = new JourneyAudit(replica).types(SagaStreams.of(Journeys.SERVICE));
        commands.values().removeIf(types -> !types.contains("ReserveRoom"));
        return commands.keySet();
    }

    private static void begin(JourneyReplica replica, List<String> journeys) {
        CompletableFuture.allOf(journeys.stream().map(replica::begin).toArray(CompletableFuture[]::new))
                .join();
    }

    private static List<String> journeys(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> (i % 2 == 0 ? "trip-" : "bad-") + name + i)
                .toList();
    }
}
