package io.holdfast.saga.orchestration;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepExecution;
import io.holdfast.saga.StepFact;
import io.holdfast.saga.orchestration.StepDefinition.CallAction;
import io.holdfast.saga.orchestration.StepDefinition.LocalAction;
import io.holdfast.saga.orchestration.StepDefinition.SentCommand;
import io.holdfast.saga.orchestration.StepDefinition.SentUndo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One transition of a saga, inside a decision: records an outcome, runs the local steps that follow, and sends the next
 * command, trigger or undo. An outcome that the row does not expect, or knows already, changes nothing. Not thread-safe.
 */
final class SagaRun<D> {

    private final Orchestration<D> orchestration;
    private final SagaDefinition<D> definition;
    private final DecisionContext context;
    private final Instant now;
    private SagaState saga;
    private PayloadCodec.@Nullable Decoded<D> data;

    /** @param data the data of the saga; null if it has to be decoded where it is needed */
    SagaRun(
            Orchestration<D> orchestration,
            DecisionContext context,
            SagaState saga,
            PayloadCodec.@Nullable Decoded<D> data) {
        this.orchestration = orchestration;
        this.definition = orchestration.definition();
        this.context = context;
        this.now = context.now();
        this.saga = saga;
        this.data = data;
    }

    SagaState saga() {
        return saga;
    }

    Instant now() {
        return now;
    }

    /** Stores the row; nothing is written if it has not changed. */
    void store() {
        context.put(orchestration.view(), saga.sagaId(), saga);
    }

    /** @throws UnsupportedHereException if another version of the definition has started the saga, with other steps */
    void requireKnownSteps() {
        for (String name : saga.steps().keySet()) {
            if (definition.indexOf(name) < 0) {
                throw new UnsupportedHereException(
                        "saga " + saga.sagaId() + " has step " + name + ", which this version of definition "
                                + definition.name() + " does not declare",
                        "Declare the step, as retired(\"" + name + "\") or by formerly(\"" + name + "\")");
            }
        }
    }

    /** Runs the first steps of a new saga. What a local step throws reaches the caller, and nothing is stored. */
    void start() {
        try {
            advance();
        } catch (StepFailure.Retryable | StepFailure.Final e) {
            throw e.failure();
        }
    }

    /** Records that a step is done, and continues. */
    void done(StepDefinition<D> step, SagaFact fact, UnaryOperator<D> then) {
        SagaStepRecord record = find(step);
        if (record == null || record.done() != null || !wasSent(record)) {
            return;
        }
        if (!saga.status().isFinal()) {
            attempt(step, () -> update(then));
        }
        put(record.with(StepFact.DONE, fact));
        if (record.skipped() != null) {
            saga = saga.flagged("step " + step.name() + " was skipped, but has succeeded since; nothing undoes it");
        }
        proceed();
    }

    /**
     * Records that a step failed, and compensates.
     *
     * @param unknown whether the step may have taken effect
     */
    void failed(StepDefinition<D> step, SagaFact fact, boolean unknown) {
        SagaStepRecord record = find(step);
        if (record == null || record.done() != null || !wasSent(record)) {
            return;
        }
        StepExecution execution = record.requireExecution();
        if (record.failed() == null) {
            put(withProgress(record.with(StepFact.FAILED, fact), unknown ? execution.ofUnknownOutcome() : execution));
        } else if (!unknown && execution.unknown()) {
            put(withProgress(record, execution.refused())); // a late refusal answers the undo
        }
        proceed();
    }

    /** Records that a local step failed that followed in the decision of another outcome. It has no effect. */
    void failedLocally(StepDefinition<D> step, SagaFact fact) {
        SagaStepRecord record = find(step);
        if (record != null && !record.isTouched()) {
            put(record.with(StepFact.FAILED, fact));
            proceed();
        }
    }

    /** Records the outcome of a step, without what follows. The data is that of the failed decision. */
    @SuppressWarnings("unchecked") // the failure comes from a run of this definition
    void doneBefore(StepFailure failure, StepDefinition<D> step, SagaFact fact) {
        SagaStepRecord record = find(step);
        if (record != null && record.done() == null && wasSent(record)) {
            if (failure.data() != null) {
                update(unused -> (D) failure.data());
            }
            put(record.with(StepFact.DONE, fact));
        }
    }

    /** Records the answer to the undo of a command: the step is undone, or there was nothing to undo. */
    void answeredUndo(StepDefinition<D> step, SagaFact fact) {
        SagaStepRecord record = find(step);
        boolean isDone = record != null && record.done() != null;
        recordUndo(step, isDone ? StepFact.UNDONE : StepFact.WITHDRAWN, fact);
    }

    /** Records that a step is undone. */
    void undone(StepDefinition<D> step, SagaFact fact) {
        recordUndo(step, StepFact.UNDONE, fact);
    }

    private void recordUndo(StepDefinition<D> step, StepFact kind, SagaFact fact) {
        SagaStepRecord record = find(step);
        if (record != null && record.isTouched()) {
            put(record.with(kind, fact));
            if (saga.status().isOpen()) { // the service has taken the step back on its own
                saga = saga.cancelRequested(now, "step " + step.name() + " was undone by " + record.service());
            }
            proceed();
        }
    }

    /** Undoes a step by a decision of this service. */
    void undoLocally(StepDefinition<D> step, LocalAction<D> undo) {
        SagaStepRecord record = find(step);
        if (record != null && record.undone() == null) {
            undo.decide().accept(data().value(), stepContext(step, true));
            undone(step, SagaFact.decided(now, null));
        }
    }

    /** Skips a step that has failed to be undone or is still awaited, as an operator has decided. */
    void skip(StepDefinition<D> step, String reason) {
        SagaStepRecord record = find(step);
        if (record != null) {
            put(record.with(StepFact.SKIPPED, SagaFact.decided(now, reason)));
            proceed();
        }
    }

    /** Compensates because the deadline has passed, or on behalf of an operator. */
    void compensate(String reason) {
        saga = saga.cancelRequested(now, reason);
        proceed();
    }

    /** Changes what does not belong to a step. */
    void change(UnaryOperator<SagaState> change) {
        saga = change.apply(saga);
    }

    /** Sends the command or trigger of the step in progress again, or that of the undo in progress. */
    boolean repeat() {
        for (StepDefinition<D> step : definition.steps()) {
            SagaStepRecord record = find(step);
            if (record != null && saga.status().isOpen() && record.isInProgress()) {
                send(step, record);
                return true;
            }
            boolean isUndoing = saga.status() == SagaStatus.COMPENSATING; // the first step with an undo is in progress
            if (record != null && isUndoing && record.requireExecution().undoSent() != null) {
                sendUndo(step, record);
                return true;
            }
        }
        return false;
    }

    private void proceed() {
        SagaStatus status = saga.status();
        if (status.isOpen() && saga.stepInProgress().isEmpty()) {
            advance();
        } else if (status == SagaStatus.COMPENSATING) {
            undoNext();
        }
    }

    /** Runs local steps and sends the next command or trigger. Without any, the saga is complete. */
    private void advance() {
        adoptDefinition();
        List<StepDefinition<D>> steps = definition.steps();
        for (int i = reached() + 1; i < steps.size(); i++) {
            StepDefinition<D> step = steps.get(i);
            SagaStepRecord record = find(step);
            if (record == null) {
                continue;
            }
            if (step.retired()) {
                put(record.with(StepFact.SKIPPED, SagaFact.decided(now, "the step is retired")));
            } else if (!evaluate(step, value -> step.condition().test(value))) {
                put(record.with(StepFact.SKIPPED, SagaFact.decided(now, null)));
            } else if (step.action() instanceof LocalAction<D> local) {
                attempt(step, () -> local.decide().accept(data().value(), stepContext(step, false)));
                put(record.with(StepFact.DONE, SagaFact.decided(now, null)));
            } else {
                send(step, record);
                return;
            }
        }
        saga = saga.completed(now);
    }

    /** Returns the place of the last step that was started or left out; -1 before the first one. */
    private int reached() {
        return saga.steps().values().stream()
                .filter(SagaStepRecord::isTouched)
                .mapToInt(record -> definition.indexOf(record.name()))
                .max()
                .orElse(-1);
    }

    /** Adds the steps that this version has gained, unless the saga is past them, and numbers all steps anew. */
    private void adoptDefinition() {
        int reached = reached();
        boolean changed = false;
        List<SagaStepRecord> records = new ArrayList<>();
        List<StepDefinition<D>> steps = definition.steps();
        for (int i = 0; i < steps.size(); i++) {
            StepDefinition<D> step = steps.get(i);
            SagaStepRecord record = find(step);
            if (record == null && i > reached && !step.retired()) {
                records.add(orchestration.record(step));
                changed = true;
            } else if (record != null && record.stepNumber() != i) {
                records.add(record.with(i, record.service(), record.requireExecution()));
                changed = true;
            } else if (record != null) {
                records.add(record);
            }
        }
        if (changed) {
            saga = saga.with(records);
        }
    }

    private void send(StepDefinition<D> step, SagaStepRecord record) {
        Instant due = step.timeout() != null && step.action() instanceof SentCommand
                ? orchestration.dueAfter(step.timeout())
                : null;
        StepExecution execution = record.requireExecution();
        if (step.action() instanceof SentCommand<D> command) {
            SagaFact sent = append(step, false, evaluate(step, command.command()));
            put(withProgress(record, execution.sent(sent, command.firstReply(), due)));
        } else {
            String type = definition.trigger(record.name()); // a replica that knows no later name can handle it
            SagaFact sent = append(step, false, Orchestration.trigger(type, data().payload()));
            put(withProgress(record, execution.sent(sent, null, due)));
        }
    }

    /** Starts the undo of the last step that must be undone, unless an undo or a call is still running. */
    private void undoNext() {
        List<StepDefinition<D>> steps = definition.steps();
        for (int i = steps.size() - 1; i >= 0; i--) {
            StepDefinition<D> step = steps.get(i);
            SagaStepRecord record = find(step);
            if (record == null || record.isAnswered()) {
                continue;
            }
            boolean isRunning = record.isInProgress() && step.action() instanceof CallAction;
            if (record.requireExecution().undoSent() == null && !isRunning) {
                sendUndo(step, record);
            }
            return;
        }
    }

    private void sendUndo(StepDefinition<D> step, SagaStepRecord record) {
        if (step.undo() == null) {
            String lost = "step " + step.name() + " must be undone, but this version declares no undo";
            put(record.with(StepFact.SKIPPED, SagaFact.decided(now, lost)));
            saga = saga.flagged(lost);
            undoNext();
            return;
        }
        Object event = step.undo() instanceof SentUndo<D> command
                ? command.command().apply(data().value())
                : Orchestration.trigger(definition.undoTrigger(record.name()), data().payload());
        SagaFact sent = append(step, true, event);
        put(withProgress(record, record.requireExecution().undoSent(sent)));
    }

    private SagaFact append(StepDefinition<D> step, boolean compensating, Object event) {
        UUID id = context.append(
                orchestration.stream(),
                saga.sagaId(),
                event,
                orchestration.metadata(saga, definition.indexOf(step.name()), compensating));
        String type = event instanceof Payload payload
                ? payload.type()
                : io.holdfast.event.EventType.Of.name(event.getClass());
        return new SagaFact(type, id, now, null);
    }

    /** Names the service that has answered. */
    void answeredBy(StepDefinition<D> step, EventMessage event) {
        SagaStepRecord record = find(step);
        if (record != null && !record.service().equals(event.source())) {
            put(record.with(record.stepNumber(), event.source(), record.requireExecution()));
        }
    }

    /** Returns a step of the saga by the name under which the saga knows it; null if the saga does not have it. */
    @Nullable
    SagaStepRecord find(StepDefinition<D> step) {
        return saga.findStep(step.names()).orElse(null);
    }

    SagaStepRecord requireRecord(StepDefinition<D> step) {
        return saga.findStep(step.names())
                .orElseThrow(() -> new PermanentException("saga " + saga.sagaId() + " has no step " + step.name()));
    }

    /** Returns the step that the definition declares under this name, or has declared. */
    Optional<StepDefinition<D>> step(String name) {
        int index = definition.indexOf(name);
        return index < 0 ? Optional.empty() : Optional.of(definition.steps().get(index));
    }

    private static boolean wasSent(SagaStepRecord record) {
        return record.execution() != null && record.execution().sent() != null;
    }

    private static SagaStepRecord withProgress(SagaStepRecord record, StepExecution execution) {
        return record.with(record.stepNumber(), record.service(), execution);
    }

    private void put(SagaStepRecord record) {
        saga = saga.with(record);
    }

    private DecisionContext stepContext(StepDefinition<D> step, boolean compensating) {
        return new StepContext(context, orchestration.metadata(saga, definition.indexOf(step.name()), compensating));
    }

    private PayloadCodec.Decoded<D> data() {
        PayloadCodec.Decoded<D> decoded = data;
        if (decoded == null) {
            decoded = orchestration
                    .codec()
                    .decodeForUpdate(
                            Orchestration.requireData(saga),
                            definition.dataType(),
                            "the data of saga " + saga.sagaId());
            data = decoded;
        }
        return decoded;
    }

    private void update(UnaryOperator<D> change) {
        PayloadCodec.Decoded<D> old = data();
        D next = change.apply(old.value());
        if (next != old.value()) {
            PayloadCodec.Decoded<D> changed = orchestration.codec().encode(next, old);
            data = changed;
            saga = saga.withData(changed.payload());
        }
    }

    private <T> T evaluate(StepDefinition<D> step, Function<? super D, T> function) {
        try {
            return function.apply(data().value());
        } catch (UnsupportedHereException e) {
            throw e; // a replica of another version can do it
        } catch (RuntimeException e) {
            throw StepFailure.of(step.name(), valueOrNull(), e);
        }
    }

    /** Runs code of the user for a step, and names the step if it fails. */
    private void attempt(StepDefinition<D> step, Runnable code) {
        try {
            code.run();
        } catch (UnsupportedHereException e) {
            throw e;
        } catch (RuntimeException e) {
            throw StepFailure.of(step.name(), valueOrNull(), e);
        }
    }

    private @Nullable D valueOrNull() {
        return data == null ? null : data.value();
    }
}
