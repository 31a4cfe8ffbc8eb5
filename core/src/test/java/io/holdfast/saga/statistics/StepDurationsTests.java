package io.holdfast.saga.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.Payload;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaStart;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepExecution;
import io.holdfast.saga.StepFact;
import io.holdfast.saga.statistics.StepDurations.End;
import io.holdfast.saga.statistics.StepDurations.Measured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StepDurationsTests {

    private @Nullable SagaState saga;

    /** Records an event and returns the seconds that were measured, as {@code <step> <end>}. */
    private Map<String, Long> record(String event, long second) {
        SagaState before = saga;
        saga = Trips.record(before, event, second);
        Map<String, Long> seconds = new TreeMap<>();
        StepDurations.between(before, saga)
                .forEach((measured, duration) -> seconds.put(text(measured), duration.toSeconds()));
        return seconds;
    }

    private static String text(Measured measured) {
        return measured.step() + " " + measured.end();
    }

    @Test
    void measuresAStepFromTheOneBeforeIt() {
        assertThat(record("Booked", 0)).isEmpty();
        assertThat(record("CarRented", 3)).isEqualTo(Map.of("CarRented DONE", 3L));
        assertThat(record("CarRented", 3)).isEmpty();
        assertThat(record("RoomBooked", 10)).isEqualTo(Map.of("RoomBooked DONE", 7L));
        assertThat(record("Confirmed", 11)).isEqualTo(Map.of("Confirmed DONE", 1L));
    }

    @Test
    void waitsForTheFactsThatAnotherStreamBringsLater() {
        assertThat(record("RoomBooked", 10)).isEmpty();
        assertThat(record("Booked", 0)).isEmpty();
        assertThat(record("CarRented", 3)).isEqualTo(Map.of("CarRented DONE", 3L, "RoomBooked DONE", 7L));
    }

    @Test
    void countsAnEffectThatSeemsToPrecedeItsCauseAsImmediate() {
        record("Booked", 10);

        assertThat(record("CarRented", 3)).isEqualTo(Map.of("CarRented DONE", 0L));
        assertThat(record("RoomBooked", 12)).isEqualTo(Map.of("RoomBooked DONE", 2L));
        assertThat(record("RoomRefused", 13)).isEmpty();
        assertThat(record("CarReturned", 11)).isEqualTo(Map.of("CarRented UNDONE", 0L));
    }

    @Test
    void measuresACompensationFromItsCause() {
        record("Booked", 0);
        record("CarRented", 1);

        assertThat(record("RoomRefused", 5)).isEmpty();
        assertThat(record("Cancelled", 7)).isEqualTo(Map.of("Booked UNDONE", 2L));
        assertThat(record("CarReturned", 9)).isEqualTo(Map.of("CarRented UNDONE", 4L));
    }

    @Test
    void doesNotMeasureTheCancellationThatIsTheCause() {
        record("Booked", 0);

        assertThat(record("Cancelled", 7)).isEmpty();
        assertThat(record("CarWithdrawn", 9)).isEqualTo(Map.of("CarRented WITHDRAWN", 2L));
    }

    @Test
    void measuresTheCompensationOfALateSuccessFromThatSuccess() {
        record("Booked", 0);
        record("Cancelled", 5);

        assertThat(record("CarRented", 60)).isEqualTo(Map.of("CarRented DONE", 60L));
        assertThat(record("CarReturned", 62)).isEqualTo(Map.of("CarRented UNDONE", 2L));
    }

    @Test
    void measuresACompensationThatArrivesBeforeItsCause() {
        record("Booked", 0);
        record("CarRented", 1);

        assertThat(record("CarReturned", 9)).isEmpty();
        assertThat(record("RoomRefused", 5)).isEqualTo(Map.of("CarRented UNDONE", 4L));
    }

    @Test
    void measuresEveryEndAtMostOnceInAnyOrder() {
        List<String> events = new ArrayList<>(List.of(
                "Booked", "CarRented", "RoomBooked", "RoomRefused", "Cancelled", "CarReturned", "CarWithdrawn"));
        for (int seed = 0; seed < 500; seed++) {
            Collections.shuffle(events, new Random(seed));
            List<Measured> measured = new ArrayList<>();
            SagaState before = null;
            for (String event : events) {
                SagaState after = Trips.record(before, event, event.length());
                Map<Measured, Duration> more = StepDurations.between(before, after);
                assertThat(more.values())
                        .allSatisfy(duration -> assertThat(duration).isGreaterThanOrEqualTo(Duration.ZERO));
                measured.addAll(more.keySet());
                before = after;
            }
            assertThat(measured)
                    .as("%s", events)
                    .doesNotHaveDuplicates()
                    .contains(new Measured("CarRented", End.DONE), new Measured("CarRented", End.UNDONE));
        }
    }

    @Test
    void measuresTheStepsOfAnOrchestratorFromWhenItHasSentThem() {
        SagaStepRecord charge = SagaStepRecord.orchestrated(0, "charge", "checkout", "refund");
        StepExecution sent = charge.requireExecution().sent(at(2), null, null);
        SagaState running = orchestrated(charge.with(0, "checkout", sent));
        SagaState done = running.with(charge.with(0, "checkout", sent).with(StepFact.DONE, at(5)));
        SagaState cancelled = done.cancelRequested(Trips.START.plusSeconds(10), null);
        SagaStepRecord undoing =
                charge.with(0, "checkout", sent.undoSent(at(14))).with(StepFact.DONE, at(5));
        SagaState undone = cancelled.with(undoing.with(StepFact.UNDONE, at(15)));

        assertThat(StepDurations.between(running, done))
                .isEqualTo(Map.of(new Measured("charge", End.DONE), Duration.ofSeconds(3)));
        assertThat(StepDurations.between(cancelled, undone))
                .isEqualTo(Map.of(new Measured("charge", End.UNDONE), Duration.ofSeconds(1)));
    }

    private static SagaState orchestrated(SagaStepRecord step) {
        return SagaState.orchestrated(
                "s-1",
                "Checkout",
                "checkout",
                new SagaStart("o-1", null, Trips.START),
                Trips.START.plusSeconds(60),
                List.of(step),
                new Payload("Data", 1, "{}"));
    }

    private static SagaFact at(long second) {
        return SagaFact.decided(Trips.START.plusSeconds(second), null);
    }
}
