package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.handling.Component;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.CircuitBreakerOverrides;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.ResilienceException;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.resilience.SlidingWindowType;
import io.holdfast.resilience.breaker.AdmittedCall;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.resilience.breaker.RetryReports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A circuit breaker records whole attempts: the handler, its decisions and the commit. It gets exactly one outcome for
 * every call that it has admitted, however the attempt ends.
 */
class GuardedAttemptTests extends ResilienceScenario {

    private static final CircuitBreakerOverrides ONE_TRIAL_CALL =
            CircuitBreakerOverrides.NONE.permittedNumberOfCallsInHalfOpenState(1);

    private static CircuitBreaker.Metrics recorded(Host process) {
        return process.breaker(PAYMENT).getMetrics();
    }

    /** Copies, and writes to the transaction if there is one. */
    private Component writingRows() {
        return Component.named("copies")
                .on(TextAdded.class, this::copy)
                .guardedBy(PAYMENT)
                .rowsIn(store.transactions())
                .build();
    }

    @Test
    void failingDecisionsOpenTheBreaker() {
        appendForKeys("x", 10);
        rejected.add("x");
        Host process = newProcess();

        run(copier(process, guarded(PAYMENT)));

        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.OPEN);
        assertThat(parked()).hasSize(10).allSatisfy(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.HELD);
            assertThat(sequence.attempts()).isZero();
        });
    }

    @Test
    void successIsRecordedWhenTheEffectsAreDurable() {
        appendForKeys("x", 3);
        Host process = newProcess();
        EventProcessor processor = copier(process, guarded(PAYMENT));
        processor.step();
        assertThat(calls).hasSize(3);
        assertThat(recorded(process).getNumberOfBufferedCalls()).isZero();

        run(processor);

        assertThat(recorded(process).getNumberOfSuccessfulCalls()).isEqualTo(3);
        assertThat(process.calls().open()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void businessErrorsOfDecisionsCountOnlyIfConfigured(boolean recorded) {
        settings = settings.circuitBreaker(CircuitBreakerOverrides.NONE.recordNonRetryable(recorded));
        appendForKeys("x", 20);
        Host process = newProcess();
        Component declining = Component.named("copies")
                .on(
                        TextAdded.class,
                        (event, context) -> context.decide(decision -> {
                            throw new Declined();
                        }))
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, declining));

        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(recorded ? State.OPEN : State.CLOSED);
        assertThat(recorded(process).getNumberOfSuccessfulCalls()).isZero();
        assertThat(states()).containsExactly(SequenceState.PENDING);
        assertThat(process.calls().open()).isZero();
    }

    @Test
    void failureOfTheStoreIsNotRecorded() {
        appendForKeys("x", 10);
        Host process = newProcess();
        EventProcessor processor = copier(process, guarded(PAYMENT));
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store does not respond"));

        run(processor);

        assertThat(calls).hasSize(10);
        assertThat(recorded(process).getNumberOfBufferedCalls()).isZero();
        assertThat(process.calls().open()).isZero();
        failingBefore.clear();
        runFor(Duration.ofSeconds(30), processor);
        assertThat(output()).hasSize(10);
        assertThat(recorded(process).getNumberOfSuccessfulCalls()).isEqualTo(10);
    }

    @Test
    void freesTrialCallWhenSegmentIsLostBeforeTheCommit() {
        settings = settings.circuitBreaker(ONE_TRIAL_CALL);
        appendForKeys("x", 2);
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor first = copier(process, guarded(PAYMENT));
        run(first);
        clock.advance(OPEN);
        while (calls.isEmpty()) {
            first.step(); // handled, and not committed
        }
        assertThat(process.calls().open()).isEqualTo(1);

        first.release();
        assertThat(process.calls().open()).isZero();
        run(copier(process, guarded(PAYMENT)));

        assertThat(output()).hasSize(2);
        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void freesCallsThatAreAdmittedAfterSegmentIsLost(boolean rows) {
        appendForKeys("x", 3);
        Host process = newProcess();
        List<Runnable> submitted = new ArrayList<>();
        EventProcessor processor =
                copier(process, builder -> builder.threads(submitted::add), rows ? writingRows() : guarded(PAYMENT));
        while (submitted.isEmpty()) {
            processor.step();
        }

        processor.release();
        submitted.forEach(Runnable::run);

        assertThat(handled).as("handlers are not stopped").hasSize(3);
        assertThat(process.calls().open()).isZero();
        assertThat(process.calls().outcomes()).containsOnly("abandoned");
    }

    @Test
    void eventParkedBehindFailedDecisionIsNotRecorded() {
        appendInput("a", "a1", "a2");
        rejected.add("a1");
        Host process = newProcess();

        run(copier(process, guarded(PAYMENT)));

        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        assertThat(process.calls().outcomes()).containsExactlyInAnyOrder("failed", "abandoned");
    }

    @Test
    void eventThatWaitsBehindFullQueueIsNotRecorded() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        appendInput("a", "a1", "a2");
        rejected.add("a1");
        Host process = newProcess();
        EventProcessor processor =
                copier(process, builder -> builder.deadLetters(new QueueConfiguration().disabled()), guarded(PAYMENT));

        run(processor);

        assertThat(parked()).isEmpty();
        assertThat(calls).contains("a2");
        assertThat(process.calls().open()).isZero();
    }

    /** Handles events asynchronously: a1 when its stage is completed, all others at once. The first b fails. */
    private Component asynchronous(CompletableFuture<Void> a1) {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    calls.add(event.text());
                    copy(event, context);
                    return event.text().equals("a1") ? a1 : CompletableFuture.completedFuture(null);
                })
                .guardedBy(PAYMENT)
                .build();
    }

    @Test
    void eventHandledWhileTheQueueIsFullIsNotRecordedIfItMustWait() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        appendInput("a", "a1", "a2");
        appendInput("b", "b1");
        failing.add("b1");
        rejected.add("a1");
        Host process = newProcess();
        CompletableFuture<Void> a1 = new CompletableFuture<>();
        EventProcessor processor =
                copier(process, builder -> builder.deadLetters(new QueueConfiguration().disabled()), asynchronous(a1));
        run(processor);
        assertThat(process.calls().open()).as("a1 is running").isEqualTo(1);

        a1.complete(null);
        run(processor);

        assertThat(calls).containsExactly("a1", "b1", "a2");
        assertThat(process.calls().outcomes())
                .as("b1 and a1 failed, a2 waits behind a1, for which there is no room")
                .containsExactlyInAnyOrder("failed", "failed", "abandoned");
    }

    @Test
    void eventThatStoppingSegmentDropsIsNotRecorded() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        appendInput("a", "a1");
        appendInput("b", "b1");
        failing.add("b1");
        Host process = newProcess();
        CompletableFuture<Void> a1 = new CompletableFuture<>();
        EventProcessor processor =
                copier(process, builder -> builder.deadLetters(new QueueConfiguration().disabled()), asynchronous(a1));
        run(processor);

        CompletableFuture<?> released = processor.release(0);
        a1.complete(null);
        run(processor);

        assertThat(released).isCompleted();
        assertThat(output()).as("another replica handles it").isEmpty();
        assertThat(process.calls().open()).isZero();
    }

    @Test
    void eventThatWaitsBehindBlockedSegmentIsNotRecorded() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        failing.add("a1");
        Host process = newProcess();
        EventProcessor processor = copier(process, guarded(PAYMENT));
        failingBefore.put(CommitPoint.WRITE_LETTERS, new PermanentException("the letter cannot be stored"));

        run(processor);

        assertThat(output()).as("b1 waits for the letter of a1").isEmpty();
        assertThat(calls).contains("b1");
        assertThat(process.calls().open()).isZero();
    }

    @Test
    void rolledBackApplicationRowsAreNotRecorded() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        rejected.add("a1");
        Host process = newProcess();

        run(copier(process, writingRows()));

        assertThat(output()).containsExactly("b1");
        assertThat(process.calls().open()).isZero();
        assertThat(process.calls().outcomes())
                .as("a1 failed, b1 was rolled back and handled again")
                .containsExactlyInAnyOrder("failed", "abandoned", "succeeded");
    }

    @Test
    void databaseThatDoesNotRespondIsNotRecorded() {
        appendInput("a", "a1");
        Host process = newProcess();
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(),
                store.deadLetterStore(),
                store.actionStore(),
                FailingSavepoints.transactions(store.unitTransactions(), 2),
                committer);
        EventProcessor processor = in(process, builder("copier", "replica", stores))
                .calls(writingRows())
                .build();

        run(processor);

        assertThat(parkedTexts("a")).containsExactly("a1");
        assertThat(process.calls().outcomes()).containsExactly("abandoned");
    }

    @Test
    void errorOfADecisionIsNotRecorded() {
        appendInput("a", "a1");
        Host process = newProcess();
        Component broken = Component.named("copies")
                .on(
                        TextAdded.class,
                        (event, context) -> context.decide(decision -> {
                            throw new NoClassDefFoundError("a class of a library");
                        }))
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, broken));

        assertThat(states()).containsExactly(SequenceState.PENDING);
        assertThat(process.calls().outcomes()).containsExactly("abandoned");
    }

    /** It says nothing about the dependency: otherwise keys of another version would open the breaker for all others. */
    @Test
    void eventThatOnlyAnotherVersionHandlesIsNotRecorded() {
        appendInput("a", "a1");
        Host process = newProcess();
        Component older = Component.named("copies")
                .on(
                        TextAdded.class,
                        (event, context) -> context.decide(decision -> {
                            throw new UnsupportedHereException("key a has an event of another version", "Run it.");
                        }))
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, older));

        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly(ParkedSequence.ANY_VERSION);
        assertThat(process.calls().outcomes()).containsExactly("abandoned");
    }

    @Test
    void failureDueToTheVersionIsNotRecordedIfTheHandlerWrapsIt() {
        appendInput("a", "a1");
        Host process = newProcess();
        Component wrapping = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    throw new IllegalStateException(
                            "cannot copy " + event.text(),
                            new UnsupportedHereException("the row was written by another version", "Run it."));
                })
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, wrapping));

        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly(ParkedSequence.ANY_VERSION);
        assertThat(process.calls().outcomes()).containsExactly("abandoned");
    }

    @Test
    void rejectionOfAnotherBreakerIsNotRecordedIfTheHandlerWrapsIt() {
        appendInput("a", "a1");
        Host process = newProcess();
        process.open("stock");
        Component wrapping = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    try {
                        process.invoker().execute("stock", () -> "never called");
                    } catch (ResilienceException e) {
                        throw new IllegalStateException("cannot copy " + event.text(), e);
                    }
                })
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, wrapping));

        assertThat(parked()).extracting(ParkedSequence::heldBy).containsExactly("stock");
        assertThat(process.calls().outcomes()).containsExactly("abandoned");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lettersBehindFailedReplayAreNotRecorded(boolean rows) {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        appendInput("a", "a1", "a2", "a3");
        rejected.add("a1");
        Host process = newProcess();
        EventProcessor processor = copier(process, rows ? writingRows() : guarded(PAYMENT));
        run(processor);
        process.calls().outcomes().clear();
        rejected.clear();
        rejected.add("a2");

        var replayed = processor.deadLetterProcessor("copies").processAny();
        run(processor);

        assertThat(replayed).isCompletedWithValue(false);
        assertThat(process.calls().open()).isZero();
        assertThat(process.calls().outcomes()).contains("succeeded", "failed", "abandoned");
    }

    @Test
    void hungSynchronousHandlerCountsAsFailedAfterItsTimeout() throws InterruptedException {
        settings = settings.circuitBreaker(
                CircuitBreakerOverrides.NONE.minimumNumberOfCalls(1).slidingWindow(SlidingWindowType.COUNT_BASED, 1));
        appendInput("a", "a1");
        Host process = newProcess();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Component hanging = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    started.countDown();
                    waitInHandler(end);
                    copy(event, context);
                })
                .guardedBy(PAYMENT)
                .build();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            EventProcessor processor = copier(process, builder -> builder.threads(thread), hanging);
            run(processor);
            started.await();

            advance(ProcessorSettings.DEFAULT_HANDLER_TIMEOUT.plusMillis(1), processor);

            assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.OPEN);
            assertThat(parked()).as("it may still succeed").isEmpty();
        } finally {
            end.countDown();
            thread.shutdown();
        }
    }

    @Test
    void replaysOneLetterAtATimeWhileHalfOpen() {
        appendInput("a", "a1", "a2", "a3", "a4", "a5", "a6");
        Host process = newProcess();
        process.open(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));
        run(processor);

        advance(OPEN, processor);

        assertThat(output("a")).containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
        assertThat(process.calls().outcomes()).containsOnly("succeeded").hasSize(6);
        assertThat(notPermitted(process))
                .as("only the first event, while it was open")
                .isEqualTo(1);
    }

    @Test
    void keepsTimeOfFirstLetterIfBreakerClosesWhileLettersAreRead() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        AtomicBoolean recovering = new AtomicBoolean();
        Host process = newProcess();
        Breakers closing = new Breakers() {
            @Override
            public AdmittedCall admit(String name) {
                return process.calls().admit(name);
            }

            @Override
            public boolean isClosed(String name) {
                return !recovering.getAndSet(false);
            }

            @Override
            public RetryReports retry(String name) {
                return process.calls().retry(name);
            }
        };
        EventProcessor processor = processor(
                "copier", builder -> builder.resilience(settings, closing, process.probes()), guarded(PAYMENT));
        failing.add("a1");
        for (String text : List.of("a1", "a2", "a3", "a4")) {
            appendInput("a", text);
            run(processor);
            clock.advance(Duration.ofSeconds(1));
        }
        Instant parkedAt = letters("a").get(2).enqueuedAt();
        failing.clear();
        failing.add("a3");

        recovering.set(true);
        var replayed = processor.deadLetterProcessor("copies").processAny();
        run(processor);

        assertThat(replayed).isCompletedWithValue(false);
        assertThat(parkedTexts("a")).containsExactly("a3", "a4");
        assertThat(parked().get(0).since()).isEqualTo(parkedAt);
    }

    private static double notPermitted(Host process) {
        return process.meters()
                .get("resilience4j.circuitbreaker.not.permitted.calls")
                .tag("name", PAYMENT)
                .counter()
                .count();
    }

    @Test
    void drainsEventsThatHalfOpenBreakerRejectedAsSoonAsItCloses() {
        Host process = newProcess();
        process.open(PAYMENT);
        List<Runnable> submitted = new ArrayList<>();
        EventProcessor one = copier(process, guarded(PAYMENT));
        EventProcessor other =
                processor("other", builder -> in(process, builder).threads(submitted::add), guarded("others", PAYMENT));
        run(one, other);
        clock.advance(OPEN);
        appendForKeys("x", 10);

        one.step(); // takes all trial calls
        while (submitted.isEmpty()) {
            other.step();
        }
        submitted.remove(0).run(); // is rejected
        run(one);
        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.CLOSED);
        for (int round = 0; round < 20; round++) {
            run(one, other);
            submitted.forEach(Runnable::run);
            submitted.clear();
        }

        assertThat(parked()).isEmpty();
        assertThat(parked("other")).isEmpty();
        assertThat(calls).as("without waiting").hasSize(20);
    }

    @Test
    void slowHandlersOpenTheBreakerIfConfigured() {
        settings = settings.instance(
                PAYMENT,
                InstanceOverrides.NONE.circuitBreaker(
                        CircuitBreakerOverrides.NONE.slowCalls(Duration.ofSeconds(2), 50)));
        appendForKeys("x", 10);
        Host process = newProcess();
        Component slow = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    clock.advance(Duration.ofSeconds(3));
                    copy(event, context);
                })
                .guardedBy(PAYMENT)
                .build();

        run(copier(
                process,
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(1).batch(5)),
                slow));

        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(State.OPEN);
        assertThat(output()).as("slow calls have effects").hasSize(5);
        assertThat(parked()).hasSize(5);
        assertThat(states()).containsExactly(SequenceState.HELD);
    }

    @Test
    void waitForTheCommitDoesNotMakeACallSlow() {
        settings = settings.circuitBreaker(CircuitBreakerOverrides.NONE.slowCalls(Duration.ofSeconds(2), 50));
        appendForKeys("x", 10);
        Host process = newProcess();
        EventProcessor processor = copier(process, guarded(PAYMENT));
        processor.step();
        assertThat(process.calls().open()).isEqualTo(10);

        clock.advance(Duration.ofSeconds(5));
        run(processor);

        assertThat(recorded(process).getNumberOfSuccessfulCalls()).isEqualTo(10);
        assertThat(recorded(process).getNumberOfSlowCalls()).isZero();
    }

    private static final class Declined extends RuntimeException implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        Declined() {
            super("declined");
        }
    }
}
