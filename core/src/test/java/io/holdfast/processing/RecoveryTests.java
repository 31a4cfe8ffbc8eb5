package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Recoveries together with breakers, probes, application rows and asynchronous handlers. */
class RecoveryTests extends ResilienceScenario {

    private static final Duration MAX_HOLD = OPEN.minusMillis(1);

    /** The texts for which the recovery was called. */
    private final List<String> recovered = new ArrayList<>();

    private final List<Throwable> failures = new ArrayList<>();

    @BeforeEach
    void withoutJitter() {
        settings = settings.retry(RetryOverrides.NONE.jitter(0)).maxHold(MAX_HOLD);
    }

    private void recover(EventContext context, Throwable failure) {
        String text = codec.decode(context.event().payload(), TextAdded.class).text();
        recovered.add(text);
        failures.add(failure);
        context.decide(decision -> decision.append(OUTPUT, context.event().key(), new TextAdded("~" + text)));
    }

    private Component.Builder recovering() {
        return Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    call(PAYMENT, event.text());
                    copy(event, context);
                })
                .guardedBy(PAYMENT)
                .recoverWith(this::recover);
    }

    private Component neverRecovering() {
        return guarded("other", PAYMENT);
    }

    private List<Integer> callsPerStep(EventProcessor processor) {
        List<Integer> rounds = new ArrayList<>();
        for (int step = 0; step < 20; step++) {
            int before = calls.size();
            processor.step();
            committer.commitWaiting();
            if (calls.size() > before) {
                rounds.add(calls.size() - before);
            }
        }
        return rounds;
    }

    @Test
    void ofHeldEventDoesNotDelayTheProbes() {
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, recovering().build());
        appendInput("first", "held for too long");
        run(processor);
        advance(Duration.ofSeconds(1), processor);
        appendForKeys("x", 7);
        run(processor);
        clock.advance(OPEN.minusSeconds(1));

        assertThat(callsPerStep(processor)).containsExactly(1, 2, 4);

        assertThat(recovered).containsExactly("held for too long");
        assertThat(failures).singleElement().satisfies(failure -> assertThat(failure)
                .hasMessageStartingWith("circuit breaker " + PAYMENT + " has held TextAdded")
                .hasMessageContaining("last failure: "));
        assertThat(output()).hasSize(8);
        assertThat(parked()).isEmpty();
    }

    /** A probe that failed says nothing good about the dependency, also if its event was recovered. */
    @Test
    void ofAProbedEventDoesNotSpeedUpTheRamp() {
        settings = settings.maxHold(Duration.ofHours(1));
        Host process = newProcess();
        process.open(PAYMENT);
        Component permanent = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    calls.add(event.text());
                    throw new Declined();
                })
                .guardedBy(PAYMENT)
                .recoverWith(this::recover)
                .build();
        EventProcessor processor = copier(process, permanent);
        appendForKeys("x", 7);
        run(processor);
        clock.advance(OPEN);

        assertThat(callsPerStep(processor)).containsOnly(1).hasSize(7);
        assertThat(recovered).hasSize(7);
    }

    @Test
    void ofManyHeldEventsLeavesOthersToBecomePending() {
        Host process = newProcess();
        process.breaker(PAYMENT).transitionToForcedOpenState();
        EventProcessor processor = copier(
                process,
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(1).batch(1)),
                recovering().build(),
                neverRecovering());
        appendForKeys("x", 20);
        for (int step = 0; step < 150; step++) {
            run(processor);
        }
        assertThat(states()).containsExactly(SequenceState.HELD);
        clock.advance(MAX_HOLD);

        for (int step = 0; step < 20; step++) {
            run(processor);
        }

        assertThat(calls).isEmpty();
        assertThat(recovered).hasSize(20);
        assertThat(output()).hasSize(20).allMatch(text -> text.startsWith("~"));
        assertThat(parked()).hasSize(20).allSatisfy(sequence -> {
            assertThat(sequence.id().component()).endsWith("other");
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
        });
    }

    @Test
    void thatFailsForAHeldEventIsNotRepeated() {
        Host process = newProcess();
        process.breaker(PAYMENT).transitionToForcedOpenState();
        EventProcessor processor = copier(
                process,
                recovering()
                        .recoverWith((context, failure) -> {
                            recover(context, failure);
                            throw new IllegalStateException("no way out");
                        })
                        .build());
        appendInput("a", "a1");
        run(processor);

        runFor(MAX_HOLD.multipliedBy(3), processor);

        assertThat(recovered).containsExactly("a1");
        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        assertThat(processor.step()).as("nothing is due").isPositive();
    }

    @Test
    void runsOnceIfRowsOfOthersAreRolledBack() {
        Component rows = Component.named("rows")
                .on(
                        TextAdded.class,
                        (event, context) -> context.decide(decision -> {
                            if (rejected.contains(event.text())) {
                                throw new Declined();
                            }
                        }))
                .rowsIn(store.transactions())
                .build();
        Component permanent = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    throw new Declined();
                })
                .recoverWith(this::recover)
                .build();
        EventProcessor processor = copier(newProcess(), rows, permanent);
        rejected.add("a1");
        appendInput("a", "a1");
        appendInput("b", "b1");

        run(processor);

        assertThat(recovered).containsExactlyInAnyOrder("a1", "b1");
        assertThat(output()).containsExactlyInAnyOrder("~a1", "~b1");
        assertThat(parked())
                .singleElement()
                .satisfies(sequence -> assertThat(sequence.id().component()).endsWith("rows"));
    }

    @Test
    void replacesTheEffectsOfAnAsynchronousHandlerThatTimedOut() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        CompletableFuture<Void> answer = new CompletableFuture<>();
        List<EventContext> contexts = new ArrayList<>();
        Component slow = Component.named("copies")
                .onAsync("TextAdded", (payload, context) -> {
                    contexts.add(context);
                    return answer;
                })
                .recoverWith(this::recover)
                .build();
        EventProcessor processor = copier(newProcess(), slow);
        appendInput("a", "a1");
        run(processor);

        advance(ProcessorSettings.DEFAULT.handlerTimeout().plusSeconds(1), processor);
        answer.complete(null);
        run(processor);

        assertThat(failures).singleElement().isInstanceOf(TimeoutException.class);
        assertThat(output()).containsExactly("~a1");
        assertThatThrownBy(() -> contexts.get(0).decide(decision -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void mustAddItsEffectsBeforeItReturns() {
        List<EventContext> contexts = new ArrayList<>();
        failing.add("a1");
        appendInput("a", "a1");
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        run(copier(
                newProcess(),
                Component.named("copies")
                        .on(TextAdded.class, this::copy)
                        .recoverWith((context, failure) -> contexts.add(context))
                        .build()));

        assertThatThrownBy(() -> contexts.get(0).decide(decision -> {})).isInstanceOf(IllegalStateException.class);
    }

    private static final class Declined extends RuntimeException implements NonRetryableException {}
}
