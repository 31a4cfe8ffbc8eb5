package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"archive", "reports"}) // before and after the recovering component, in alphabetical order
    void ofManyHeldEventsLeavesOthersToBecomePending(String other) {
        Host process = newProcess();
        process.breaker(PAYMENT).transitionToForcedOpenState();
        EventProcessor processor = copier(
                process,
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(1).batch(1)),
                guarded(other, PAYMENT),
                recovering().build());
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
            assertThat(sequence.id().component()).doesNotEndWith("copies");
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(store.deadLetterStore().findLetters(sequence.id(), 0, 1))
                    .allSatisfy(letter -> assertThat(letter.attempts()).isEmpty());
        });
        assertThat(reportedAttempts(process)).isZero();
    }

    private static long reportedAttempts(Host process) {
        process.invoker().retry(PAYMENT); // creates it
        return process.invoker().retries().retry(PAYMENT).getMetrics().getNumberOfTotalCalls();
    }

    /** A restarted process does not know whether the dependency is up, so its first probe calls the handler. */
    @Test
    void ofHeldEventWaitsForAProbeAfterARestart() {
        Host before = newProcess();
        before.open(PAYMENT);
        appendInput("a", "a1");
        EventProcessor first = copier(before, recovering().build());
        run(first);
        first.release();
        clock.advance(MAX_HOLD.multipliedBy(2));
        down.add(PAYMENT);
        Host restarted = newProcess();

        run(copier(restarted, recovering().build()));

        assertThat(calls).containsExactly("a1");
        assertThat(recovered).containsExactly("a1");
        assertThat(output()).containsExactly("~a1");
        assertThat(reportedAttempts(restarted)).as("no attempt is spent").isZero();
    }

    @Test
    void ofHeldEventIsNotBroughtForwardByAPolicyThatDropsEverything() {
        Host process = newProcess();
        process.breaker(PAYMENT).transitionToForcedOpenState();
        EventProcessor processor = copier(
                process,
                recovering()
                        .deadLetters(queue -> queue.enqueuePolicy((letter, cause) -> Decisions.doNotEnqueue()))
                        .build());
        appendInput("a", "a1");
        run(processor);

        runFor(MAX_HOLD.minusSeconds(1), processor);
        assertThat(recovered).isEmpty();
        assertThat(states()).containsExactly(SequenceState.HELD);
        runFor(Duration.ofSeconds(1), processor);

        assertThat(output()).containsExactly("~a1");
    }

    @Test
    void isNotForAHeldEventThatThisVersionHasNoHandlerFor() {
        Host process = newProcess();
        process.open(PAYMENT);
        appendInput("a", "a1");
        EventProcessor newer = copier(process, recovering().build());
        run(newer);
        newer.release();
        clock.advance(MAX_HOLD);
        Component lacking = Component.named("copies")
                .on("Unrelated", (payload, context) -> {})
                .guardedBy(PAYMENT)
                .recoverWith(this::recover)
                .build();

        run(copier(process, lacking));

        assertThat(recovered).isEmpty();
        assertThat(parked()).singleElement().satisfies(sequence -> assertThat(sequence.awaits())
                .isNotNull());
    }

    /** The segment waits for room, but a handler that was called before may still finally fail. */
    @Test
    void runsWhileTheSegmentWaitsForRoom() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        Map<String, CompletableFuture<Void>> answers = new HashMap<>();
        Component limited = Component.named("copies")
                .onAsync(
                        "TextAdded",
                        (payload, context) -> answers.computeIfAbsent(
                                codec.decode(payload, TextAdded.class).text(), text -> new CompletableFuture<>()))
                .recoverWith((context, failure) -> {
                    if (failure instanceof Declined declined) {
                        throw declined;
                    }
                    recover(context, failure);
                })
                .deadLetters(queue -> queue.maxSequences(1))
                .build();
        EventProcessor processor = copier(newProcess(), limited);
        appendInput("full", "1");
        appendInput("waits", "2");
        appendInput("late", "3");
        run(processor);
        fail(answers, "1", new Declined());
        run(processor);
        fail(answers, "2", new Declined());
        run(processor);
        assertThat(parked()).hasSize(1);
        assertThat(processor.status().segments().get(0).failures()).isPositive();

        fail(answers, "3", new IllegalStateException("too late"));
        run(processor);

        assertThat(output()).containsExactly("~3");
    }

    private static void fail(Map<String, CompletableFuture<Void>> answers, String text, Throwable failure) {
        Objects.requireNonNull(answers.get(text)).completeExceptionally(failure);
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
