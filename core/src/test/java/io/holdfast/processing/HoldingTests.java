package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.holdfast.NonRetryableException;
import io.holdfast.RetryableException;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.CircuitBreakerOverrides;
import io.holdfast.wire.source.LogStreamSource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events that an open circuit breaker rejects are HELD, spend no attempt, and are probed one by one until the
 * dependency responds again.
 */
class HoldingTests extends ResilienceScenario {

    private static final List<String> SHOP = List.of(
            "inventory-stock-reservation",
            "inventory-stock-release",
            PAYMENT,
            "payment-refund",
            "order-confirmation",
            "order-cancellation");

    private Component inside(Host process, String operation) {
        return Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    process.invoker().executeRunnable(operation, () -> call(operation, event.text()));
                    copy(event, context);
                })
                .build();
    }

    /** Returns how many handlers each step calls, without the steps that call none. */
    private List<Integer> callsPerStep(EventProcessor processor, int steps) {
        List<Integer> rounds = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int before = calls.size();
            processor.step();
            committer.commitWaiting();
            if (calls.size() > before) {
                rounds.add(calls.size() - before);
            }
        }
        return rounds;
    }

    private void assertHeld(int sequences) {
        assertThat(parked()).hasSize(sequences).allSatisfy(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.HELD);
            assertThat(sequence.heldBy()).isEqualTo(PAYMENT);
            assertThat(sequence.attempts()).isZero();
        });
    }

    @Test
    void holdsEventRejectedByOpenBreakerWithoutSpendingAnAttempt() {
        appendInput("a", "a1", "a2");
        Host process = newProcess();
        process.open(PAYMENT);
        List<String> seen = new ArrayList<>();
        Component other = Component.named("other")
                .on(TextAdded.class, (event, context) -> seen.add(event.text()))
                .guardedBy("payment-refund")
                .build();
        EventProcessor processor = copier(process, guarded(PAYMENT), other);

        run(processor);
        appendInput("a", "a3");
        run(processor);

        assertHeld(1);
        assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3");
        assertThat(letters("a").get(0).attempts()).isEmpty();
        assertThat(letters("a").get(0).cause()).isNotNull();
        assertThat(calls).isEmpty();
        assertThat(seen).containsExactly("a1", "a2", "a3");
    }

    @Test
    void continuesSequencesThatDoNotNeedTheDependency() {
        Host process = newProcess();
        process.open(PAYMENT);
        Component sometimes = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    if (event.text().startsWith("paid")) {
                        process.invoker().executeRunnable(PAYMENT, () -> call(PAYMENT, event.text()));
                    }
                    copy(event, context);
                })
                .build();
        appendInput("a", "paid 1", "free 1");
        appendInput("b", "free 2", "free 3");

        run(copier(process, sometimes));

        assertHeld(1);
        assertThat(output()).containsExactly("free 2", "free 3");
    }

    @Test
    void probesOneSequenceWhenTheBreakerPermitsCalls() {
        appendForKeys("x", 20);
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        advance(OPEN.minusMillis(2), processor);
        assertThat(calls).as("too early").isEmpty();

        advance(Duration.ofMillis(2), processor);

        assertThat(calls).hasSize(1);
        assertHeld(20);
        advance(OPEN.minusMillis(2), processor);
        assertThat(calls).as("the next probe waits as long again").hasSize(1);
        advance(Duration.ofMillis(1), processor);
        assertThat(calls).hasSize(2);
        assertHeld(20);
    }

    @Test
    void probesOtherSequencesAfterAFailedProbe() {
        settings = settings.circuitBreaker(CircuitBreakerOverrides.NONE.permittedNumberOfCallsInHalfOpenState(1));
        appendInput("a", "never");
        failing.add("never");
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        clock.advance(Duration.ofMillis(1));
        appendInput("b", "b1");
        appendInput("c", "c1");
        run(processor);
        assertHeld(3);

        runFor(Duration.ofMinutes(1), processor);

        assertThat(output()).containsExactlyInAnyOrder("b1", "c1");
        assertThat(parked()).singleElement().satisfies(left -> {
            assertThat(left.state()).isEqualTo(SequenceState.PENDING);
            assertThat(left.attempts()).as("spent after the breaker had closed").isEqualTo(3);
        });
    }

    @Test
    void doublesProbesAfterEachRoundOfSuccesses() {
        appendForKeys("x", 40);
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        assertHeld(40);
        clock.advance(OPEN);

        assertThat(callsPerStep(processor, 20)).containsExactly(1, 2, 4, 8, 16, 9);

        run(processor);
        assertThat(parked()).isEmpty();
        assertThat(output()).hasSize(40);
        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void restartsRampAfterAnotherOutage() {
        appendForKeys("x", 20);
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        advance(OPEN, processor);
        assertThat(parked()).isEmpty();
        process.open(PAYMENT);
        appendForKeys("y", 7);
        run(processor);
        clock.advance(OPEN);

        assertThat(callsPerStep(processor, 20)).containsExactly(1, 2, 4);
    }

    @Test
    void bringsProbeForwardWhenLiveTrafficClosesBreaker() {
        appendForKeys("x", 7);
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        advance(OPEN, processor);
        assertThat(calls).hasSize(1);
        down.clear();
        clock.advance(Duration.ofSeconds(1));
        assertThat(callsPerStep(processor, 5)).as("nine seconds too early").isEmpty();

        process.invoker().executeRunnable(PAYMENT, () -> {});
        process.invoker().executeRunnable(PAYMENT, () -> {});

        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.CLOSED);
        assertThat(callsPerStep(processor, 20)).containsExactly(1, 2, 4);
    }

    @Test
    void becomesPendingExactlyAfterMaxHold() {
        settings = settings.maxHold(Duration.ofSeconds(65));
        appendInput("a", "a1", "a2");
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);

        runFor(Duration.ofSeconds(64), processor);
        advance(Duration.ofMillis(999), processor);
        assertHeld(1);
        advance(Duration.ofMillis(1), processor);

        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(sequence.attempts()).isZero();
            assertThat(sequence.heldBy()).isNull();
            assertThat(sequence.size()).isEqualTo(2);
        });
    }

    @Test
    void parksEventBehindAtTheMomentOfMaxHold() {
        settings = settings.maxHold(Duration.ofSeconds(5));
        appendInput("a", "a1");
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        clock.advance(Duration.ofSeconds(5));

        appendInput("a", "a2");
        run(processor);
        appendInput("a", "a3");
        run(processor);

        assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3");
        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(sequence.size()).isEqualTo(3);
        });
    }

    @Test
    void doesNotMakePendingWhatOnlyWaitsForAProbe() {
        settings = settings.maxHold(Duration.ofMinutes(1));
        appendForKeys("x", 40);
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(
                process,
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(1).batch(1)),
                guarded(PAYMENT));
        for (int step = 0; step < 200; step++) {
            processor.step();
            committer.commitWaiting();
        }
        assertHeld(40);
        clock.advance(Duration.ofSeconds(59));

        for (int second = 0; second < 100; second++) {
            processor.step();
            committer.commitWaiting();
            clock.advance(Duration.ofSeconds(1));
        }

        assertThat(parked()).isEmpty();
        assertThat(output()).hasSize(40);
    }

    @Test
    void probesAfterRestartWithoutSpendingAttemptsWhileStillDown() {
        appendInput("a", "a1");
        down.add(PAYMENT);
        Host before = newProcess();
        before.open(PAYMENT);
        EventProcessor first = copier(before, guarded(PAYMENT));
        run(first);
        first.release();
        EventProcessor second = copier(newProcess(), guarded(PAYMENT));
        run(second);
        assertThat(calls).as("too early").isEmpty();

        runFor(Duration.ofSeconds(31), second);

        assertThat(calls).as("one per wait in the open state").hasSize(3);
        assertHeld(1);
        down.clear();
        runFor(Duration.ofSeconds(10), second);
        assertThat(output("a")).containsExactly("a1");
        assertThat(parked()).isEmpty();
    }

    @Test
    void probesAfterALongStopBeforeMaxHoldApplies() {
        appendForKeys("x", 10);
        Host before = newProcess();
        before.open(PAYMENT);
        EventProcessor first = copier(before, guarded(PAYMENT));
        run(first);
        first.release();
        clock.advance(Duration.ofHours(8));

        run(copier(newProcess(), guarded(PAYMENT)));

        assertThat(parked()).isEmpty();
        assertThat(output()).hasSize(10);
    }

    @Test
    void becomesPendingAfterALongStopIfStillDown() {
        appendForKeys("x", 10);
        Host before = newProcess();
        before.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor first = copier(before, guarded(PAYMENT));
        run(first);
        first.release();
        clock.advance(Duration.ofHours(8));

        run(copier(newProcess(), guarded(PAYMENT)));

        assertThat(parked()).hasSize(10);
        assertThat(states()).containsExactly(SequenceState.PENDING);
        assertThat(calls).hasSize(1);
    }

    @Test
    void sharesProbesOfOneBreakerAmongSegmentsAndProcessors() {
        appendForKeys("x", 32);
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        ProcessorSettings two = ProcessorSettings.DEFAULT.segments(2);
        EventProcessor one = copier(process, builder -> builder.settings(two), guarded(PAYMENT));
        EventProcessor other =
                processor("other", builder -> in(process, builder).settings(two), guarded(PAYMENT));
        run(one, other);
        assertThat(parked("other")).hasSize(32);
        assertHeld(32);

        advance(OPEN, one, other);
        assertThat(calls).hasSize(1);

        down.clear();
        advance(OPEN, one, other);
        runFor(Duration.ofSeconds(20), one, other);
        assertThat(parked("other")).isEmpty();
        assertThat(parked()).isEmpty();
    }

    @Test
    void keepsBreakersIndependent() {
        appendForKeys("x", 10);
        down.add(PAYMENT);
        Host process = newProcess();
        Component[] components =
                SHOP.stream().map(name -> recordingCalls("for-" + name, name)).toArray(Component[]::new);
        EventProcessor processor = copier(process, components);

        run(processor);

        assertThat(SHOP).allSatisfy(name -> assertThat(process.breaker(name).getState())
                .isEqualTo(name.equals(PAYMENT) ? State.OPEN : State.CLOSED));
        assertHeld(10);
        assertThat(parked())
                .allSatisfy(sequence -> assertThat(sequence.id().component()).endsWith("for-" + PAYMENT));
        assertThat(calls).as("five calls open it").hasSize(10 * 5 + 5);
    }

    /** Calls its dependency, and has no effects. */
    private Component recordingCalls(String name, String breaker) {
        return Component.named(name)
                .on(TextAdded.class, (event, context) -> call(breaker, event.text()))
                .guardedBy(breaker)
                .build();
    }

    @Test
    void holdsEventIfBreakerRejectsOperationWithinHandler() {
        appendForKeys("x", 10);
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, inside(process, PAYMENT));

        run(processor);
        assertHeld(10);
        assertThat(calls).isEmpty();
        clock.advance(OPEN);

        assertThat(callsPerStep(processor, 20)).containsExactly(1, 2, 4, 3);
    }

    @Test
    void detectsRejectionThatTheHandlerWrapped() {
        appendInput("a", "joined");
        appendInput("b", "wrapped");
        Host process = newProcess();
        process.open(PAYMENT);
        Component wrapping = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    CompletableFuture<String> paid =
                            process.invoker().executeAsync(PAYMENT, () -> CompletableFuture.completedFuture("paid"));
                    if (event.text().equals("joined")) {
                        paid.join();
                    }
                    try {
                        paid.join();
                    } catch (RuntimeException e) {
                        throw new IllegalStateException("could not pay", e);
                    }
                })
                .build();

        run(copier(process, wrapping));

        assertHeld(2);
    }

    @Test
    void doesNotCountRejectionByAnotherBreaker() {
        appendForKeys("x", 20);
        Host process = newProcess();
        process.open(PAYMENT);
        Component both = Component.named("copies")
                .on(TextAdded.class, (event, context) -> process.invoker()
                        .executeRunnable(PAYMENT, () -> call(PAYMENT, event.text())))
                .guardedBy("order-confirmation")
                .build();

        run(copier(process, both));

        assertHeld(20);
        assertThat(process.breaker("order-confirmation").getState()).isEqualTo(State.CLOSED);
        assertThat(process.breaker("order-confirmation").getMetrics().getNumberOfFailedCalls())
                .isZero();
    }

    @Test
    void recordsAsynchronousHandlerWhenItCompletes() {
        appendForKeys("x", 5);
        Host process = newProcess();
        List<CompletableFuture<Object>> running = new ArrayList<>();
        EventProcessor processor = copier(process, asyncComponent(running));
        run(processor);
        assertThat(running).hasSize(5);
        assertThat(process.breaker(PAYMENT).getMetrics().getNumberOfBufferedCalls())
                .isZero();

        running.forEach(each -> each.completeExceptionally(new IllegalStateException("no answer")));
        run(processor);

        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.OPEN);
        assertHeld(5);
    }

    private Component asyncComponent(List<CompletableFuture<Object>> running) {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    calls.add(event.text());
                    CompletableFuture<Object> answer = new CompletableFuture<>();
                    running.add(answer);
                    return answer;
                })
                .guardedBy(PAYMENT)
                .build();
    }

    @Test
    void freesProbeWhenItsSegmentIsLost() {
        settings = settings.circuitBreaker(CircuitBreakerOverrides.NONE.permittedNumberOfCallsInHalfOpenState(1));
        appendForKeys("x", 4);
        Host process = newProcess();
        process.open(PAYMENT);
        List<CompletableFuture<Object>> running = new ArrayList<>();
        EventProcessor first = copier(process, asyncComponent(running));
        run(first);
        advance(OPEN, first);
        assertThat(running).as("one probe is running and does not end").hasSize(1);

        first.release();
        EventProcessor second = copier(process, asyncComponent(running));
        run(second);

        assertThat(running).as("its permit is free, here and in the breaker").hasSize(2);
        running.get(0).complete("late");
        run(second);
        assertThat(running).as("the late completion frees no second permit").hasSize(2);
    }

    @Test
    void timesOutProbeThatNeverEnds() {
        settings = settings.circuitBreaker(CircuitBreakerOverrides.NONE.permittedNumberOfCallsInHalfOpenState(1));
        appendForKeys("x", 2);
        Host process = newProcess();
        process.open(PAYMENT);
        List<CompletableFuture<Object>> running = new ArrayList<>();
        EventProcessor processor = copier(process, asyncComponent(running));
        run(processor);
        advance(OPEN, processor);
        assertThat(running).hasSize(1);

        runFor(ProcessorSettings.DEFAULT_HANDLER_TIMEOUT.plusSeconds(1), processor);
        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.OPEN);
        assertHeld(2);
        runFor(OPEN.multipliedBy(2).plusSeconds(1), processor);

        assertThat(running).hasSize(2);
    }

    @Test
    void doesNotOpenForBusinessErrors() {
        appendForKeys("x", 30);
        Host process = newProcess();
        Component declining = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    throw new OutOfStock();
                })
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, declining));

        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.CLOSED);
        assertThat(states()).containsExactly(SequenceState.PENDING);
    }

    @Test
    void continuesAfterProbeThatEndsWithBusinessError() {
        appendInput("a", "none left");
        appendForKeys("x", 3);
        Host process = newProcess();
        process.open(PAYMENT);
        Component component = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    if (event.text().equals("none left")) {
                        throw new OutOfStock();
                    }
                    copy(event, context);
                })
                .guardedBy(PAYMENT)
                .build();
        EventProcessor processor = copier(process, component);
        run(processor);

        advance(OPEN, processor);

        assertThat(output()).hasSize(3);
        assertThat(states()).containsExactly(SequenceState.PENDING);
    }

    @Test
    void probesSequenceHeldByUnusedBreaker() {
        appendInput("a", "a1");
        Host before = newProcess();
        before.open("of-an-older-version");
        EventProcessor older = copier(before, guarded("of-an-older-version"));
        run(older);
        older.release();

        EventProcessor newer = copier(newProcess(), copying());
        run(newer);
        assertThat(output("a")).isEmpty();
        advance(OPEN, newer);

        assertThat(output("a")).containsExactly("a1");
        assertThat(parked()).isEmpty();
    }

    @Test
    void doesNotWaitLongerWhenClockIsSetBack() {
        appendInput("a", "a1");
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        process.breaker(PAYMENT).transitionToHalfOpenState();
        clock.advance(Duration.ofHours(-1));

        runFor(OPEN.plusSeconds(1), processor);

        assertThat(output("a")).containsExactly("a1");
    }

    @Test
    void alternatesHeldAndRetryingSequences() {
        appendForKeys("x", 10);
        Host process = newProcess();
        process.open(PAYMENT);
        Component retries = Component.named("retries")
                .on(TextAdded.class, (event, context) -> {
                    calls.add("retry");
                    throw new IllegalStateException("fails");
                })
                .build();
        Component held = Component.named("held")
                .on(TextAdded.class, (event, context) -> calls.add("held"))
                .guardedBy(PAYMENT)
                .build();
        EventProcessor processor = copier(
                process,
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(1).batch(1)),
                retries,
                held);
        for (int step = 0; step < 100; step++) {
            processor.step();
            committer.commitWaiting();
        }
        clock.advance(OPEN);
        calls.clear();

        callsPerStep(processor, 6);

        assertThat(calls).as("in batches of one").contains("held", "retry");
    }

    @Test
    void alternatesBreakers() {
        appendForKeys("x", 20);
        Host process = newProcess();
        process.open("one");
        process.open("two");
        Component[] components = Stream.of("one", "two")
                .map(name -> Component.named(name)
                        .on(TextAdded.class, (event, context) -> calls.add(name))
                        .guardedBy(name)
                        .build())
                .toArray(Component[]::new);
        EventProcessor processor = copier(
                process,
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(1).batch(1)),
                components);
        for (int step = 0; step < 200; step++) {
            processor.step();
            committer.commitWaiting();
        }
        clock.advance(OPEN);

        callsPerStep(processor, 10);

        assertThat(calls).as("in batches of one").contains("one", "two");
    }

    @Test
    void retriesSequencesThatCouldNotBeLoaded() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        failing.addAll(List.of("a1", "b1"));
        AtomicInteger loads = new AtomicInteger();
        DeadLetterStore flaky = (DeadLetterStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DeadLetterStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("findFirstLetters") && loads.incrementAndGet() == 1) {
                        throw new RetryableException("the store does not answer");
                    }
                    return method.invoke(store.deadLetterStore(), arguments);
                });
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), flaky, store.actionStore(), store.unitTransactions(), committer);
        EventProcessor processor = new EventProcessorBuilder("test", "copier", "replica", stores, codec, clock)
                .settings(ProcessorSettings.DEFAULT.segments(1))
                .reads("input", LogStreamSource.of(store.eventLog(), store.consumerGroups(), "test/copier"))
                .calls(copying())
                .build();
        run(processor);
        failing.clear();
        advance(Duration.ofMillis(600), processor);
        assertThat(output()).as("nothing could be loaded").isEmpty();

        runFor(Duration.ofSeconds(2), processor);

        assertThat(output()).hasSize(2);
        assertThat(parked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "probed", "held too long", "ramp elsewhere"})
    void doesNotSpinWhenThereIsNothingToDo(String what) {
        appendForKeys("x", 10);
        Host process = newProcess();
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        switch (what) {
            case "probed" -> advance(Duration.ofSeconds(10), processor);
            case "held too long" -> advance(Duration.ofMinutes(15), processor);
            case "ramp elsewhere" -> {
                clock.advance(OPEN);
                assertThat(process.probes().tryAcquire(PAYMENT, clock.time())).isTrue();
                run(processor);
            }
            default -> {}
        }

        assertThat(stepsWithoutDelay(processor)).isZero();
    }

    @Test
    void doesNotSpinWhileReleaseWaitsForAHandler() {
        appendInput("a", "fails");
        appendInput("b", "never ends");
        Component component = Component.named("copies")
                .onAsync(
                        TextAdded.class,
                        (event, context) -> event.text().equals("fails")
                                ? CompletableFuture.failedFuture(new IllegalStateException("no answer"))
                                : new CompletableFuture<>())
                .build();
        EventProcessor processor = copier(newProcess(), component);
        run(processor);
        advance(Duration.ofMillis(300), processor);
        assertThat(parked()).hasSize(1);

        CompletableFuture<?> released = processor.release(0);
        advance(Duration.ofSeconds(1), processor);

        assertThat(stepsWithoutDelay(processor)).isZero();
        assertThat(released).isNotDone();
    }

    private long stepsWithoutDelay(EventProcessor processor) {
        long without = 0;
        for (int step = 0; step < 50; step++) {
            without += processor.step().isZero() ? 1 : 0;
            committer.commitWaiting();
        }
        return without;
    }

    @Test
    void keepsHeldSinceWhenEventIsParkedBehind() {
        appendInput("a", "a1");
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);
        ParkedSequence before = parked().get(0);
        Instant since = Objects.requireNonNull(before.heldSince());
        clock.advance(Duration.ofSeconds(3));

        appendInput("a", "a2");
        run(processor);

        assertThat(parked()).singleElement().satisfies(grown -> {
            assertThat(grown.size()).isEqualTo(2);
            assertThat(grown.heldSince()).isEqualTo(since);
            assertThat(grown.nextAttempt()).isEqualTo(before.nextAttempt());
        });
    }

    private static final class OutOfStock extends RuntimeException implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        OutOfStock() {
            super("none left");
        }
    }
}
