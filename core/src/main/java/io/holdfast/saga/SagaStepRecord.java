package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of one saga: its declaration when the saga started, and the facts recorded since. Immutable. The declaration is
 * part of the row, so that a saga ends under the rules under which it started, and can be shown by a service that no
 * longer declares it.
 *
 * @param stepNumber counted from 0
 * @param name the name of the step; in a choreographed saga, the type of the forward event
 * @param service the service that performs the step
 * @param compensation the type of the compensating event; null if the step needs no compensation
 * @param withdrawals the types of events that report a withdrawal
 * @param completing whether the forward event completes the saga
 * @param attempts how often the step was attempted, if the service that tracks the saga knows
 * @param done the forward event, or null
 * @param failed the refusal, or null
 * @param undone the compensating event, or null
 * @param withdrawn the withdrawal, or null
 * @param skipped the decision to leave out the step or its compensation, or null
 * @param execution how far the orchestrator has come with the step; null in a choreographed saga
 */
public record SagaStepRecord(
        int stepNumber,
        String name,
        String service,
        @Nullable String compensation,
        List<String> withdrawals,
        boolean completing,
        int attempts,
        @Nullable SagaFact done,
        @Nullable SagaFact failed,
        @Nullable SagaFact undone,
        @Nullable SagaFact withdrawn,
        @Nullable SagaFact skipped,
        @Nullable StepExecution execution) {

    public SagaStepRecord {
        withdrawals = List.copyOf(withdrawals);
    }

    /** Reads a step of a row, which {@link #named} completes. */
    @JsonCreator
    static SagaStepRecord read(
            @JsonProperty("stepNumber") int stepNumber,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("service") String service,
            @JsonProperty("compensation") @Nullable String compensation,
            @JsonProperty("withdrawals") @Nullable List<String> withdrawals,
            @JsonProperty("completing") @Nullable Boolean completing,
            @JsonProperty("attempts") @Nullable Integer attempts,
            @JsonProperty("done") @Nullable SagaFact done,
            @JsonProperty("failed") @Nullable SagaFact failed,
            @JsonProperty("undone") @Nullable SagaFact undone,
            @JsonProperty("withdrawn") @Nullable SagaFact withdrawn,
            @JsonProperty("skipped") @Nullable SagaFact skipped,
            @JsonProperty("execution") @Nullable StepExecution execution) {
        return new SagaStepRecord(
                stepNumber,
                Objects.requireNonNullElse(name, ""),
                service,
                compensation,
                Objects.requireNonNullElse(withdrawals, List.of()),
                Boolean.TRUE.equals(completing),
                Objects.requireNonNullElse(attempts, 0),
                done,
                failed,
                undone,
                withdrawn,
                skipped,
                execution);
    }

    /** Returns a step as it was before its row was written: with its name, and with the event type of every fact. */
    SagaStepRecord named(String stepName) {
        return new SagaStepRecord(
                stepNumber,
                stepName,
                service,
                compensation,
                withdrawals,
                completing,
                attempts,
                SagaFact.typed(done, stepName),
                failed,
                SagaFact.typed(undone, compensation),
                SagaFact.typed(withdrawn, withdrawals.isEmpty() ? null : withdrawals.get(0)),
                skipped,
                execution);
    }

    /** Returns a fact; null if it is not recorded. */
    public @Nullable SagaFact fact(StepFact kind) {
        return switch (kind) {
            case DONE -> done;
            case FAILED -> failed;
            case UNDONE -> undone;
            case WITHDRAWN -> withdrawn;
            case SKIPPED -> skipped;
        };
    }

    /** Returns the event type that reports a fact, if the declaration names exactly one or a first one; or null. */
    @Nullable
    String declaredEvent(StepFact kind) {
        return switch (kind) {
            case DONE -> name;
            case UNDONE -> compensation;
            case WITHDRAWN -> withdrawals.isEmpty() ? null : withdrawals.get(0);
            case FAILED, SKIPPED -> null;
        };
    }

    static SagaStepRecord of(SagaStep step) {
        return new SagaStepRecord(
                step.stepNumber(),
                step.event(),
                step.service(),
                step.compensation(),
                step.withdrawnBy(),
                step.isCompleting(),
                0,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /**
     * Returns a step of an orchestrated saga that has not started.
     *
     * @param compensation the name of what undoes the step, or null
     */
    public static SagaStepRecord orchestrated(
            int stepNumber, String name, String service, @Nullable String compensation) {
        return new SagaStepRecord(
                stepNumber,
                name,
                service,
                compensation,
                List.of(),
                false,
                0,
                null,
                null,
                null,
                null,
                null,
                StepExecution.NOT_STARTED);
    }

    /** Returns the status that follows from the facts. */
    public StepStatus status() {
        if (undone != null) {
            return StepStatus.COMPENSATED;
        }
        if (skipped != null) {
            return StepStatus.SKIPPED;
        }
        if (done != null) {
            return StepStatus.COMPLETED;
        }
        if (failed != null) {
            return StepStatus.FAILED;
        }
        return withdrawn == null ? StepStatus.PENDING : StepStatus.WITHDRAWN;
    }

    /** Returns why the step failed, or null. */
    public @Nullable String failureReason() {
        return failed == null ? null : failed.reason();
    }

    /**
     * Returns whether compensation need not wait for this step. A step that is done must be undone, even if it also
     * failed or was withdrawn; otherwise its effect would remain. A step that is not done is answered by its failure or
     * its withdrawal, or immediately if it declares no withdrawal. A step of an orchestrated saga need not be answered
     * if it was never started, and must be if its outcome is unknown.
     */
    public boolean isAnswered() {
        if (compensation == null || undone != null || skipped != null) {
            return true;
        }
        if (execution != null) {
            return done == null && execution.isAnswered(failed != null, withdrawn != null);
        }
        return done == null && (failed != null || withdrawn != null || withdrawals.isEmpty());
    }

    /** Returns whether the step has an effect that must be undone. */
    boolean needsUndo() {
        return done != null && !isAnswered();
    }

    /**
     * Returns whether the saga waits for this step while it compensates. An orchestrator undoes one step after the other:
     * it waits only for the undo that it has sent, and for a call that is still running.
     */
    boolean isAwaitedByCompensation() {
        return !isAnswered() && (execution == null || execution.undoSent() != null || isInProgress());
    }

    /** Returns the type of the event that completes this step; the name of the step if no event does. */
    String outcome() {
        return execution == null ? name : Objects.requireNonNullElse(execution.reply(), name);
    }

    /** Returns the type of the event that answers this step while the saga compensates. */
    String answer() {
        if (execution != null && execution.undoSent() == null) {
            return outcome();
        }
        return done == null && !withdrawals.isEmpty()
                ? withdrawals.get(0)
                : Objects.requireNonNullElse(compensation, name);
    }

    Stream<SagaFact> facts() {
        return Stream.of(done, failed, undone, withdrawn, skipped).filter(Objects::nonNull);
    }

    /** Returns this record with a fact. Of two facts of one kind, the earlier one stays. */
    public SagaStepRecord with(StepFact kind, SagaFact fact) {
        return new SagaStepRecord(
                stepNumber,
                name,
                service,
                compensation,
                withdrawals,
                completing,
                attempts,
                kind == StepFact.DONE ? SagaFact.earlier(done, fact) : done,
                kind == StepFact.FAILED ? SagaFact.earlier(failed, fact) : failed,
                kind == StepFact.UNDONE ? SagaFact.earlier(undone, fact) : undone,
                kind == StepFact.WITHDRAWN ? SagaFact.earlier(withdrawn, fact) : withdrawn,
                kind == StepFact.SKIPPED ? SagaFact.earlier(skipped, fact) : skipped,
                execution);
    }

    public SagaStepRecord withAttempts(int count) {
        return new SagaStepRecord(
                stepNumber,
                name,
                service,
                compensation,
                withdrawals,
                completing,
                count,
                done,
                failed,
                undone,
                withdrawn,
                skipped,
                execution);
    }

    /** Returns this record with its number, its service and its progress, as the orchestrator changes them. */
    public SagaStepRecord with(int number, String performedBy, StepExecution progress) {
        return new SagaStepRecord(
                number,
                name,
                performedBy,
                compensation,
                withdrawals,
                completing,
                attempts,
                done,
                failed,
                undone,
                withdrawn,
                skipped,
                progress);
    }

    /** Returns the progress of a step of an orchestrated saga. */
    public StepExecution requireExecution() {
        return Objects.requireNonNull(execution, "only the steps of an orchestrated saga are executed");
    }

    /** Returns whether the orchestrator has started the step and does not know its outcome. */
    public boolean isInProgress() {
        return execution != null
                && execution.sent() != null
                && done == null
                && failed == null
                && withdrawn == null
                && undone == null
                && skipped == null;
    }

    /** Returns whether anything is known of the step: it was started or left out, or a fact is recorded. */
    public boolean isTouched() {
        return facts().findAny().isPresent() || (execution != null && execution.sent() != null);
    }
}
