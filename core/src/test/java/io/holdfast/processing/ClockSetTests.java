package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.fixture.ManualClock;
import io.holdfast.handling.Component;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.wire.source.LogStreamSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The wall clock is set while a processor waits, forward or back by an hour. Nothing waits longer than without that, and
 * nothing happens earlier.
 */
class ClockSetTests extends ResilienceScenario {

    /** The longest backoff after the first failure, with jitter. */
    private static final Duration BACKOFF = Duration.ofMillis(600);

    private static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration MAX_HOLD = Duration.ofMinutes(2);

    private void setClock(int hours) {
        clock.setForward(Duration.ofHours(hours));
    }

    private Component recording() {
        return Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    calls.add(event.text());
                    copy(event, context);
                })
                .build();
    }

    private static Component neverCompleting() {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> new CompletableFuture<>())
                .build();
    }

    private ParkedSequence onlyParked() {
        assertThat(parked()).hasSize(1);
        return parked().get(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void retriesAfterTheBackoff(int hours) {
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor processor = processor("copier", recording());
        run(processor);
        assertThat(calls).hasSize(1);

        setClock(hours);

        appendInput("a", "a2"); // parked behind a1, which must not change when a1 is due
        run(processor);
        assertThat(calls).as("not early").hasSize(1);
        failing.clear();
        advance(BACKOFF, processor);
        assertThat(output()).containsExactly("a1", "a2");
    }

    /** The stored time of the next attempt is an hour ahead of the new owner's clock. */
    @Test
    void retriesWhatAReplicaHasParkedWhoseClockWasAhead() {
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor ahead = processor("copier", recording());
        run(ahead);
        ahead.release();
        setClock(-1);

        EventProcessor processor = processor("copier", recording());
        failing.clear();
        runFor(Duration.ofSeconds(37), processor); // the longest wait for room in a queue

        assertThat(output()).containsExactly("a1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void probesWhenTheBreakerPermitsIt(int hours) {
        appendInput("a", "a1");
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        assertThat(states()).containsExactly(SequenceState.HELD);

        setClock(hours);

        run(processor);
        assertThat(calls).as("not early").isEmpty();
        advance(OPEN, processor);
        assertThat(output()).containsExactly("a1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void holdsForMaxHold(int hours) {
        settings = settings.maxHold(MAX_HOLD);
        appendInput("a", "a1");
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);

        setClock(hours);

        runFor(MAX_HOLD.minusSeconds(1), processor);
        assertThat(states()).as("not early").containsExactly(SequenceState.HELD);
        runFor(Duration.ofSeconds(1), processor);
        assertThat(states()).containsExactly(SequenceState.PENDING);
    }

    /** A failed probe must not come before the other sequences again. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void probesHeldSequencesInTurn(int hours) {
        appendInput("a", "a");
        appendInput("b", "b");
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        advance(OPEN, processor);

        setClock(hours);
        advance(OPEN, processor);
        setClock(hours);
        advance(OPEN, processor);

        assertThat(calls).hasSize(3).startsWith("a", "b", "a");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void retriesAfterTheBackoffOfASegment(int hours) {
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));
        EventProcessor processor = processor("copier", copying());
        run(processor);
        failingBefore.clear();
        appendInput("a", "a1");
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));
        run(processor);
        failingBefore.clear();
        int handledBefore = handled.size();

        setClock(hours);

        run(processor);
        assertThat(handled).as("not early").hasSize(handledBefore);
        runFor(Duration.ofSeconds(2), processor);
        assertThat(output()).containsExactly("a1");
    }

    /** Only the clock of one replica is set. It keeps its segment, and the other one does not get it. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void renewsLeases(int hours) {
        ManualClock own = new ManualClock();
        EventProcessor owner = new EventProcessorBuilder("test", "copier", "one", stores(), codec, own)
                .settings(ProcessorSettings.DEFAULT.segments(1))
                .reads("input", LogStreamSource.of(store.eventLog(), store.consumerGroups(), "test/copier"))
                .calls(copying())
                .build();
        run(owner);
        assertThat(claimed(owner)).containsExactly(0);
        EventProcessor other = processor("copier", copying());

        own.setForward(Duration.ofHours(hours));

        for (int second = 0; second < 60; second++) {
            own.advance(Duration.ofSeconds(1));
            clock.advance(Duration.ofSeconds(1));
            run(owner, other);
            assertThat(claimed(owner)).containsExactly(0);
            assertThat(claimed(other)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void timesOutAsynchronousHandlers(int hours) {
        appendInput("a", "a1");
        EventProcessor processor = processor("copier", neverCompleting());
        run(processor);

        setClock(hours);

        run(processor);
        assertThat(parked()).as("not early").isEmpty();
        advance(ProcessorSettings.DEFAULT.handlerTimeout().plusMillis(1), processor);
        assertThat(onlyParked().attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void givesUpOperationsAtTheirDeadline(int hours) {
        appendInput("a", "a1");
        EventProcessor processor = processor(
                "copier",
                builder -> builder.settings(
                        ProcessorSettings.DEFAULT.segments(1).handlerTimeout(OPERATION_TIMEOUT.multipliedBy(2))),
                neverCompleting());
        run(processor);
        CompletableFuture<?> split = processor.split(0);
        run(processor);

        setClock(hours);

        run(processor);
        assertThat(split).as("not early").isNotDone();
        advance(OPERATION_TIMEOUT.plusMillis(1), processor);
        assertThat(split).isCompletedExceptionally();
    }

    /** The letters were parked before the clock was set back, so they look as if they came from the future. */
    @Test
    void replaysAllLettersAfterTheClockWasSetBack() {
        failing.addAll(List.of("a1", "b1"));
        appendInput("a", "a1");
        appendInput("b", "b1");
        EventProcessor processor = processor("copier", recording());
        runFor(Duration.ofMinutes(1), processor);
        assertThat(states()).containsExactly(SequenceState.PENDING);
        failing.clear();

        setClock(-1);

        BulkReplay replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        run(processor);
        assertThat(replay.result()).isCompleted();
        assertThat(output()).containsExactlyInAnyOrder("a1", "b1");
    }
}
