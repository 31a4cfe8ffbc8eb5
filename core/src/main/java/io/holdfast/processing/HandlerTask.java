package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.resilience.AdmittedCall;
import io.holdfast.resilience.ResilienceException;
import io.holdfast.worker.UserFailures;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One event for one component. The coordinator moves it from state to state; the handler may run on any thread and leaves
 * only its outcome.
 */
final class HandlerTask {

    /** How far it has come. */
    enum State {
        /** Its handler has not been called. */
        WAITING,
        /** Its handler is to be called, or has been and has not ended. */
        RUNNING,
        /** There are effects. */
        HANDLED,
        /** There is a failure. */
        FAILED,
        /** An earlier event of the sequence is parked, or will be. */
        BEHIND,
        /** Durable, in whatever way. */
        COMMITTED
    }

    private final EventMessage event;
    private final BoundComponent component;
    private final SequenceId sequence;
    private final int hash;
    private final @Nullable DeadLetter letter;
    private final @Nullable Throwable sequencingFailure;
    /** Another one whenever it is handled once more: what a handler says that was given up before goes nowhere. */
    private volatile AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

    private volatile @Nullable CollectingContext context;
    private volatile AdmittedCall admittedCall = AdmittedCall.NONE;
    private volatile @Nullable Instant startedAt;
    private volatile @Nullable Thread thread;
    private State state = State.WAITING;
    private @Nullable Verdict verdict;

    HandlerTask(SequencedEvent event, BoundComponent component) {
        this(
                event.event(),
                component,
                new SequenceId(component.id(), event.sequence()),
                event.hash(),
                null,
                event.failure());
    }

    HandlerTask(DeadLetter letter, BoundComponent component, int hash) {
        this(letter.message(), component, letter.sequence(), hash, letter, null);
    }

    private HandlerTask(
            EventMessage event,
            BoundComponent component,
            SequenceId sequence,
            int hash,
            @Nullable DeadLetter letter,
            @Nullable Throwable unsequenced) {
        this.event = event;
        this.component = component;
        this.sequence = sequence;
        this.hash = hash;
        this.letter = letter;
        this.sequencingFailure = unsequenced;
        if (unsequenced != null) {
            failed(unsequenced);
        }
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

    /** Whether its handler writes rows of its own. */
    boolean writesApplicationRows() {
        return component.component().rowsIn().isPresent();
    }

    PartId partId() {
        return new PartId(event.id(), component.id());
    }

    State state() {
        return state;
    }

    void moveTo(State next) {
        state = next;
    }

    boolean isCommitted() {
        return state == State.COMMITTED;
    }

    /** It is ready to be committed, in whatever way. */
    boolean isSettled() {
        return state == State.HANDLED || state == State.FAILED || state == State.BEHIND;
    }

    Part part() {
        return ((Outcome.Effects) requireOutcome()).part();
    }

    Throwable failure() {
        return ((Outcome.Failure) requireOutcome()).cause();
    }

    /** Whatever it was before, it has failed with this. */
    void failed(Throwable cause) {
        outcome.set(new Outcome.Failure(cause));
        verdict = null;
        state = State.FAILED;
    }

    /** To be handled once more, from the start. One of which nobody knows the sequence cannot be. */
    void restart() {
        if (sequencingFailure != null) {
            failed(sequencingFailure);
            return;
        }
        outcome = new AtomicReference<>();
        startedAt = null;
        state = State.WAITING;
        verdict = null;
    }

    /**
     * What the policy says about its failure; it is asked once, however often a unit of it is formed.
     *
     * @param kept the letter as it is, or would be
     */
    Verdict verdict(DeadLetter kept) {
        Verdict said = verdict;
        if (said == null) {
            said = Verdict.of(component.queue().policy(), kept, failure());
            verdict = said;
        }
        return said;
    }

    /** Looks whether the handler has ended. */
    void refreshState() {
        Outcome ended = outcome.get();
        if (state == State.RUNNING && ended != null) {
            state = ended instanceof Outcome.Effects ? State.HANDLED : State.FAILED;
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

    /** Since when its handler runs; null if it does not. */
    @Nullable
    Instant runningSince() {
        return hasCompleted() ? null : startedAt;
    }

    /** The thread that is inside the handler; null if it waits for something that ends later. */
    @Nullable
    Thread thread() {
        return thread;
    }

    /** An asynchronous handler has taken too long: what it still says is refused. */
    void failIfRunning(Throwable cause) {
        if (outcome.compareAndSet(null, new Outcome.Failure(cause))) {
            CollectingContext running = context;
            if (running != null) {
                running.close();
            }
            admittedCall.failed(cause); // or a half-open breaker would wait for its outcome for ever
        }
    }

    /** Nobody waits any more for what the handler comes to, should it ever end. */
    void abandon() {
        if (!hasCompleted()) {
            admittedCall.abandoned();
        }
    }

    /** Rows are written in the transaction that the handler is called in; what ends later would write into another. */
    void requireCompleted() {
        failIfRunning(
                new PermanentException("component " + component.id() + " keeps rows of its own, so its handlers must be"
                        + " synchronous, but that of " + event.type() + " gave a stage that had not completed"));
    }

    /** Calls the handler, on the thread that this is called on. */
    @SuppressWarnings("FutureReturnValueIgnored") // the outcome is kept here
    void run(ProcessorContext processor, @Nullable UnitTransaction rows) {
        CollectingContext collecting = new CollectingContext(event, partId(), letter, rows);
        AtomicReference<@Nullable Outcome> told = outcome;
        context = collecting;
        startedAt = processor.now();
        thread = Thread.currentThread();
        admittedCall = AdmittedCall.NONE;
        AdmittedCall call = AdmittedCall.NONE;
        try {
            call = component
                    .component()
                    .breaker()
                    .map(processor.breakers()::admit)
                    .orElse(AdmittedCall.NONE);
            admittedCall = call;
            requireContent();
            CompletionStage<?> stage = processor
                    .interceptor()
                    .around(component.component(), component.id(), collecting, () -> component
                            .component()
                            .invoke(event, processor.codec(), collecting));
            if (stage != null) {
                AdmittedCall asynchronous = call;
                stage.whenComplete((value, failure) -> {
                    complete(collecting, told, asynchronous, failure == null ? null : unwrapped(failure));
                    processor.wake().run();
                });
                return;
            }
            complete(collecting, told, call, null);
        } catch (Throwable e) {
            complete(collecting, told, call, unwrapped(e));
            UserFailures.throwIfFatal(e);
        } finally {
            thread = null;
        }
    }

    private static void complete(
            CollectingContext collecting,
            AtomicReference<@Nullable Outcome> told,
            AdmittedCall call,
            @Nullable Throwable failure) {
        Part part = collecting.close();
        if (failure == null) {
            call.succeeded();
        } else if (failure instanceof Error || (failure instanceof ResilienceException inner && inner.rejected())) {
            call.abandoned(); // the code is broken, or another breaker is open: nothing is known about this one
        } else {
            call.failed(failure);
        }
        told.compareAndSet(null, failure == null ? new Outcome.Effects(part) : new Outcome.Failure(failure));
    }

    private void requireContent() {
        if (event.payload().isWithoutContent()) {
            throw new PermanentException("the content of " + event.type() + " " + event.id() + " at position "
                    + event.position() + " of stream " + event.stream()
                    + " could not be carried by the wire; mend it at its source, service " + event.source());
        }
    }

    private Outcome requireOutcome() {
        Outcome ended = outcome.get();
        if (ended == null) {
            throw new IllegalStateException(event.id() + " has not been handled");
        }
        return ended;
    }

    /** What a future has failed with, whether the handler has given it back or waited for it. */
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
