package io.holdfast.processing.segment;

import io.holdfast.PermanentException;
import io.holdfast.UserFailures;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.Recovery;
import io.holdfast.parking.BoundComponent;
import io.holdfast.parking.Verdict;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.resilience.breaker.AdmittedCall;
import io.holdfast.worker.MonotonicTime;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One event for one component. The coordinator moves it from state to state. The handler may run on any thread, and
 * reports only its outcome.
 */
public final class HandlerTask {

    /** The progress of a task. */
    public enum State {
        /** The handler has not been called. */
        WAITING,
        /** The handler is about to be called, or is running. */
        RUNNING,
        /** The handler has succeeded, with effects. */
        HANDLED,
        /** The handler, its decision or the sequencing policy has failed. */
        FAILED,
        /** An earlier event of the sequence is parked or will be. */
        BEHIND,
        /** Durable: as effects, as a letter or as a skipped event. */
        COMMITTED
    }

    private final EventMessage event;
    private final BoundComponent component;
    private final SequenceId sequence;
    private final int hash;
    private final @Nullable DeadLetter letter;
    private final @Nullable Throwable refusal;
    /** Replaced at each restart, so that the late outcome of an abandoned handler is ignored. */
    private volatile AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

    private volatile @Nullable CollectingContext context;
    private final GuardedCall guarded = new GuardedCall();
    private volatile @Nullable MonotonicTime startedAt;
    private volatile @Nullable Thread thread;
    private State state = State.WAITING;
    private @Nullable Verdict verdict;
    private @Nullable FinalFailure finalFailure;

    /** @param unsupported why this version cannot handle the event; null if it can */
    public HandlerTask(SequencedEvent event, BoundComponent component, @Nullable Throwable unsupported) {
        this(
                event.event(),
                component,
                new SequenceId(component.id(), event.sequence()),
                event.hash(),
                null,
                event.failure() == null ? unsupported : event.failure());
    }

    /** @param refusal why this version cannot handle the letter; null if it can */
    HandlerTask(DeadLetter letter, BoundComponent component, int hash, @Nullable Throwable refusal) {
        this(letter.message(), component, letter.sequence(), hash, letter, refusal);
    }

    private HandlerTask(
            EventMessage event,
            BoundComponent component,
            SequenceId sequence,
            int hash,
            @Nullable DeadLetter letter,
            @Nullable Throwable refusal) {
        this.event = event;
        this.component = component;
        this.sequence = sequence;
        this.hash = hash;
        this.letter = letter;
        this.refusal = refusal;
    }

    EventMessage event() {
        return event;
    }

    BoundComponent component() {
        return component;
    }

    SequenceId sequence() {
        return sequence;
    }

    int hash() {
        return hash;
    }

    @Nullable
    DeadLetter letter() {
        return letter;
    }

    /** Returns whether the handler writes application rows. */
    boolean writesApplicationRows() {
        return component.component().rowsIn().isPresent();
    }

    PartId partId() {
        return new PartId(event.id(), component.id());
    }

    public State state() {
        return state;
    }

    public void moveTo(State next) {
        state = next;
    }

    boolean isCommitted() {
        return state == State.COMMITTED;
    }

    /** Returns whether the task is ready to be committed, as effects or as a letter. */
    boolean isSettled() {
        return state == State.HANDLED || state == State.FAILED || state == State.BEHIND;
    }

    Part part() {
        return ((Outcome.Effects) requireOutcome()).part();
    }

    Throwable failure() {
        return ((Outcome.Failure) requireOutcome()).cause();
    }

    /** Fails the task, whatever its state was. */
    void failed(Throwable cause) {
        guarded.failed(cause);
        outcome.set(new Outcome.Failure(cause));
        verdict = null;
        state = State.FAILED;
    }

    /**
     * Recovers the event from its failure. Then it is handled, with the effects of the recovery; otherwise it has failed
     * with the failure of the recovery.
     *
     * @param attempts the number of attempts spent on the event
     * @return whether it is handled
     */
    boolean recover(Recovery recovery, int attempts) {
        FinalFailure failure = new FinalFailure(failure(), attempts);
        finalFailure = failure;
        CollectingContext collecting = new CollectingContext(event, partId(), letter, null);
        try {
            recovery.recover(collecting, failure.cause());
            outcome.set(new Outcome.Effects(collecting.close()));
            state = State.HANDLED;
            return true;
        } catch (Throwable e) {
            collecting.close();
            failed(e);
            UserFailures.throwIfFatal(e);
            return false;
        }
    }

    /** Returns the failure that the recovery was called for, whether it succeeded or not; null if it was not called. */
    @Nullable
    FinalFailure finalFailure() {
        return finalFailure;
    }

    /** Restarts the task from the beginning. */
    void restart() {
        guarded.release();
        outcome = new AtomicReference<>();
        startedAt = null;
        state = State.WAITING;
        verdict = null;
        finalFailure = null;
    }

    /**
     * Returns the policy's verdict on the failure. The policy is consulted once per failure, however often a unit is
     * built.
     *
     * @param stored the stored letter, or the one to be stored
     */
    Verdict verdict(DeadLetter stored) {
        Verdict result = verdict;
        if (result == null) {
            FinalFailure recovered = finalFailure;
            result = recovered == null
                    ? Verdict.of(component.queue().policy(), stored, failure())
                    : recovered.verdict(failure(), stored);
            verdict = result;
        }
        return result;
    }

    /** Updates the state if the handler has ended. */
    public void refreshState() {
        Outcome completed = outcome.get();
        if (state == State.RUNNING && completed != null) {
            state = completed instanceof Outcome.Effects ? State.HANDLED : State.FAILED;
        }
    }

    boolean hasStarted() {
        return startedAt != null;
    }

    boolean hasFailed() {
        return outcome.get() instanceof Outcome.Failure;
    }

    boolean hasCompleted() {
        return outcome.get() != null;
    }

    /** Returns since when the handler has been running; null if it is not running. */
    @Nullable
    MonotonicTime runningSince() {
        return hasCompleted() ? null : startedAt;
    }

    /** Returns the thread that is inside the handler; null if none is, for example while its stage is incomplete. */
    @Nullable
    Thread thread() {
        return thread;
    }

    /** Fails the task if its handler is still running. Effects that the handler adds later are rejected. */
    void failIfRunning(Throwable cause) {
        if (outcome.compareAndSet(null, new Outcome.Failure(cause))) {
            CollectingContext running = context;
            if (running != null) {
                running.close();
            }
            guarded.failed(cause); // otherwise a half-open breaker would wait for this outcome forever
        }
    }

    /** Returns the attempt as the component's circuit breaker sees it. */
    GuardedCall guarded() {
        return guarded;
    }

    /**
     * Fails a handler that is still running: its application rows would be written outside the transaction in which it
     * was called.
     */
    void requireCompleted() {
        failIfRunning(new PermanentException(
                "component " + component.id() + " writes application rows, so its handlers must be"
                        + " synchronous, but that of " + event.type() + " returned a stage that had not completed"));
    }

    /** Calls the handler on the current thread. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public // the task stores the outcome
    void run(ProcessorContext processor, @Nullable UnitTransaction rows) {
        CollectingContext collecting = new CollectingContext(event, partId(), letter, rows);
        AtomicReference<@Nullable Outcome> result = outcome;
        context = collecting;
        startedAt = processor.time();
        thread = Thread.currentThread();
        guarded.start();
        AdmittedCall call = AdmittedCall.NONE;
        try {
            if (refusal != null) {
                throw refusal;
            }
            call = component
                    .component()
                    .breaker()
                    .map(processor.handlers().breakers()::admit)
                    .orElse(AdmittedCall.NONE);
            guarded.admitted(call);
            requireContent();
            CompletionStage<?> stage = invoke(processor.handlers(), collecting);
            if (stage != null) {
                AdmittedCall asynchronous = call;
                stage.whenComplete((value, failure) -> {
                    complete(collecting, result, asynchronous, failure == null ? null : unwrapped(failure), rows);
                    processor.wake().run();
                });
                return;
            }
            complete(collecting, result, call, null, rows);
        } catch (Throwable e) {
            complete(collecting, result, call, unwrapped(e), rows);
            UserFailures.throwIfFatal(e);
        } finally {
            thread = null;
        }
    }

    /** @return the stage of an asynchronous handler; null if the handler has ended */
    private @Nullable CompletionStage<?> invoke(HandlerRuntime handlers, CollectingContext collecting)
            throws Exception {
        return handlers.interceptor()
                .around(
                        component.component(),
                        component.id(),
                        collecting,
                        () -> component.invoke(event, handlers.codec(), collecting));
    }

    private void complete(
            CollectingContext collecting,
            AtomicReference<@Nullable Outcome> result,
            AdmittedCall call,
            @Nullable Throwable failure,
            @Nullable UnitTransaction rows) {
        Part part = collecting.close();
        if (failure == null
                || rows != null) { // in a transaction, the run reports the failure once rows are rolled back
            guarded.returned(call);
        } else {
            GuardedCall.report(call, failure);
        }
        result.compareAndSet(null, failure == null ? new Outcome.Effects(part) : new Outcome.Failure(failure));
    }

    private void requireContent() {
        if (event.payload().isWithoutContent()) {
            throw new PermanentException("the content of " + event.type() + " " + event.id() + " at position "
                    + event.position() + " of stream " + event.stream()
                    + " could not be sent over the wire; repair it at its source, service " + event.source());
        }
    }

    private Outcome requireOutcome() {
        Outcome completed = outcome.get();
        if (completed == null) {
            throw new IllegalStateException(event.id() + " has not been handled");
        }
        return completed;
    }

    /** Returns the failure of a future, whether the handler returned the future or waited for it. */
    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Override
    public String toString() {
        return event.type() + " " + event.id() + " for " + component.id() + ": " + state;
    }

    private sealed interface Outcome {
        record Effects(Part part) implements Outcome {}

        record Failure(Throwable cause) implements Outcome {}
    }
}
