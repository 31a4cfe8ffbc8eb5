package io.holdfast.saga.orchestration;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepExecution;
import io.holdfast.saga.tracking.JudgedSagas;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The sagas of one definition, as the timeout detector judges them: a command without a reply fails its step, and after
 * the deadline the saga is compensated.
 */
final class OrchestratedSagas<D> implements JudgedSagas {

    private final Orchestration<D> orchestration;
    private final StreamOwners owners;
    private final boolean autoCompensate;

    OrchestratedSagas(Orchestration<D> orchestration, StreamOwners owners, boolean autoCompensate) {
        this.orchestration = orchestration;
        this.owners = owners;
        this.autoCompensate = autoCompensate;
    }

    @Override
    public String type() {
        return orchestration.definition().name();
    }

    @Override
    public Collection<String> streams() {
        return orchestration.definition().streams();
    }

    @Override
    public Collection<String> participants() {
        return streams().stream()
                .map(owners::find)
                .flatMap(Optional::stream)
                .filter(owner -> !owner.equals(orchestration.service()))
                .distinct()
                .toList();
    }

    /** A call that is retried or held must not keep its saga open beyond the deadline. */
    @Override
    public boolean isSuspendedBy(SagaLetter own) {
        return own.state() == SequenceState.PENDING || !own.consumer().equals(SagaOrchestrations.PROCESSOR);
    }

    @Override
    public Duration timeLimit() {
        return orchestration.timeLimit();
    }

    @Override
    public Collection<AggregateKey> keys(SagaState saga) {
        return List.of();
    }

    @Override
    public void timeOut(SagaState saga, DecisionContext context, Instant now) {
        SagaRun<D> run = orchestration.run(context, saga);
        SagaStepRecord step = saga.stepInProgress().orElse(null);
        if (step != null && isOverdue(step, now)) {
            String reason = "no " + step.requireExecution().reply() + " from " + step.service() + " in time";
            run.step(step.name()).ifPresent(known -> run.failed(known, SagaFact.decided(now, reason), true));
        } else {
            run.change(before -> before.timedOut(now));
            if (autoCompensate) {
                run.compensate(run.saga().reason());
            }
        }
        run.store();
    }

    private static boolean isOverdue(SagaStepRecord step, Instant now) {
        Instant due = step.requireExecution().dueAt();
        return due != null && !due.isAfter(now);
    }

    @Override
    public SagaState resumed(SagaState saga, Instant now) {
        SagaState resumed = saga.resumed(now, timeLimit());
        return saga.stepInProgress()
                .filter(step -> step.requireExecution().dueAt() != null)
                .map(step -> resumed.with(withFullTime(step, now)))
                .orElse(resumed);
    }

    private SagaStepRecord withFullTime(SagaStepRecord step, Instant now) {
        StepExecution execution = step.requireExecution();
        int index = orchestration.definition().indexOf(step.name());
        Duration timeout =
                index < 0 ? null : orchestration.definition().steps().get(index).timeout();
        return timeout == null
                ? step
                : step.with(step.stepNumber(), step.service(), execution.withDueAt(now.plus(timeout)));
    }
}
