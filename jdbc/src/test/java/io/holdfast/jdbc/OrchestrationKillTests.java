package io.holdfast.jdbc;

import static io.holdfast.commit.CommitPoint.COMMIT;
import static io.holdfast.commit.CommitPoint.WRITE_EVENTS;
import static io.holdfast.commit.CommitPoint.WRITE_ROWS;
import static io.holdfast.commit.CommitPoint.WRITE_TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.testsupport.JavaProcess;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a process in the middle of orchestrated sagas, half of which are undone. Another replica finishes them; every step
 * takes effect once, and so does every undo.
 */
class OrchestrationKillTests {

    private static final List<String> JOURNEYS = IntStream.range(0, 20)
            .mapToObj(i -> (i % 2 == 0 ? "trip-" : "bad-") + i)
            .toList();

    @ParameterizedTest
    @MethodSource
    void anotherReplicaFinishesTheSagasOfAKilledProcess(String death) {
        String url = PostgresqlServer.sharedDurable().newDatabase();
        try (JavaProcess killed = JourneyProcess.start(url, death, JOURNEYS)) {
            killed.awaitEndedBy(Signal.KILL);
        }

        try (JourneyReplica next = JourneyReplica.open(url, "next", JourneyReplica.Version.FIRST)) {
            JourneyAudit audit = new JourneyAudit(next);
            long running = audit.running();
            int begun = audit.types(Journeys.TRIPS.stream()).size();
            audit.awaitEnded(JOURNEYS).everyStepTookEffectOnce(JOURNEYS);
            assertThat(audit.types(Journeys.ROOMS.stream())).containsOnlyKeys(JOURNEYS);
            System.out.printf(
                    "kill -9 of an orchestrator at %s: %d of %d sagas were stored and %d unfinished; %d calls repeated%n",
                    death, begun, JOURNEYS.size(), running, next.payments().repetitions());
        }
    }

    static Stream<String> anotherReplicaFinishesTheSagasOfAKilledProcess() {
        return Stream.of(
                MomentTrap.option(new Moment(WRITE_EVENTS, true), 4),
                MomentTrap.option(new Moment(WRITE_ROWS, false), 12),
                MomentTrap.option(new Moment(WRITE_TOKENS, true), 8),
                MomentTrap.option(new Moment(COMMIT, false), 10),
                MomentTrap.option(new Moment(COMMIT, true), 14),
                JourneyProcess.afterCall(7),
                JourneyProcess.afterCall(JOURNEYS.size() + 3)); // a refund
    }
}
