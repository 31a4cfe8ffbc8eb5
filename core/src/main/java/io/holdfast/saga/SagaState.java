package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.event.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * The recorded facts of one saga, and what follows from them. Immutable; stored as a row of the view {@code sagas}.
 *
 * <p>{@link #status} is a pure function of the facts, so the streams of a saga may interleave in any way. Recording a
 * fact again changes nothing. Order matters in one case only: between the completing event and a cause for
 * compensation, the first one decides.
 *
 * <p>Every transition is total: where it does not apply, for example because the saga has ended, it returns this state.
 *
 * @param sagaId unique
 * @param sagaType the name of the type or definition
 * @param service the service that tracks the saga
 * @param start null for a placeholder, which has not received the event of step 0
 * @param deadline null for a placeholder
 * @param steps by name, so that a version of the service keeps what it does not know of a step
 * @param milestones the facts about the saga as a whole
 * @param attention why the engine asks an operator to look at the saga, or null; see {@link #attentionReason}
 * @param data the data of an orchestrated saga; null in a choreographed one
 */
@JsonSerialize(using = SagaStateSerializer.class)
public record SagaState(
        String sagaId,
        String sagaType,
        SagaKind kind,
        String service,
        @Nullable SagaStart start,
        @Nullable SagaDeadline deadline,
        SortedMap<String, SagaStepRecord> steps,
        SagaMilestones milestones,
        @Nullable String attention,
        @Nullable Payload data) {

    /** After so many judgements without effect, an operator must look at the saga. */
    public static final int MAX_JUDGEMENTS = 10;

    public SagaState {
        steps = Collections.unmodifiableSortedMap(new TreeMap<>(steps));
    }

    /** Reads what {@link SagaStateSerializer} has written, and the longer form that names everything. */
    @JsonCreator
    static SagaState read(
            @JsonProperty("sagaId") String sagaId,
            @JsonProperty("sagaType") String sagaType,
            @JsonProperty("kind") @Nullable SagaKind kind,
            @JsonProperty("service") String service,
            @JsonProperty("start") @Nullable SagaStart start,
            @JsonProperty("deadline") @Nullable SagaDeadline deadline,
            @JsonProperty("steps") Map<String, SagaStepRecord> steps,
            @JsonProperty("milestones") @Nullable SagaMilestones milestones,
            @JsonProperty("attention") @Nullable String attention,
            @JsonProperty("data") @Nullable Payload data) {
        SortedMap<String, SagaStepRecord> named = new TreeMap<>();
        steps.forEach((name, step) -> named.put(name, step.named(name)));
        return new SagaState(
                sagaId,
                sagaType,
                Objects.requireNonNullElse(kind, SagaKind.CHOREOGRAPHED),
                service,
                start,
                deadline,
                named,
                Objects.requireNonNullElse(milestones, SagaMilestones.NONE),
                attention,
                data);
    }

    static SagaState placeholder(Choreography type, String sagaId) {
        SortedMap<String, SagaStepRecord> steps = new TreeMap<>();
        type.steps().forEach(step -> steps.put(step.event(), SagaStepRecord.of(step)));
        return new SagaState(
                sagaId,
                type.type(),
                SagaKind.CHOREOGRAPHED,
                type.tracker(),
                null,
                null,
                steps,
                SagaMilestones.NONE,
                null,
                null);
    }

    /**
     * Returns an orchestrated saga that starts.
     *
     * @param service the service that runs it
     * @param deadline when it must have ended
     * @param steps the steps of its definition, not started
     */
    public static SagaState orchestrated(
            String sagaId,
            String sagaType,
            String service,
            SagaStart start,
            Instant deadline,
            Collection<SagaStepRecord> steps,
            Payload data) {
        SortedMap<String, SagaStepRecord> named = new TreeMap<>();
        steps.forEach(step -> named.put(step.name(), step));
        return new SagaState(
                sagaId,
                sagaType,
                SagaKind.ORCHESTRATED,
                service,
                start,
                SagaDeadline.at(deadline),
                named,
                SagaMilestones.NONE,
                null,
                data);
    }

    /** Returns the status that follows from the facts. */
    public SagaStatus status() {
        return facts().status();
    }

    /** Returns the aggregate key of step 0; empty for a placeholder. */
    public String key() {
        return start == null ? "" : start.key();
    }

    /** Returns why the saga is compensated or timed out; empty if no fact names a reason. */
    public String reason() {
        return facts().reason().orElse("");
    }

    /** Returns the steps, by their number. */
    public List<SagaStepRecord> stepsInOrder() {
        return facts().steps();
    }

    /** Returns what the saga awaits next; empty once it has ended. */
    public List<ExpectedEvent> expected() {
        return facts().expected();
    }

    /** Returns when the saga ended; empty if it has not. */
    public Optional<Instant> endedAt() {
        return Optional.ofNullable(facts().endedAt());
    }

    /** Returns when the first cause for compensation occurred; empty without one. */
    public Optional<Instant> compensatingSince() {
        return facts().compensatingSince();
    }

    /**
     * Returns why an operator must look at the saga: what the engine reported, or a success that no compensation will
     * undo.
     */
    public Optional<String> attentionReason() {
        return Optional.ofNullable(attention).or(() -> facts().attention());
    }

    boolean needsAttention(SagaFacts facts) {
        return attention != null || facts.attention().isPresent();
    }

    /**
     * Returns when the engine must look at the row next: to judge the deadline, to ask the participants again, or to
     * remove the row. Null if only an event or an operator changes it. A row that needs attention is never removed.
     *
     * @param retention how long an ended saga, and a placeholder, is kept
     */
    public @Nullable Instant nextDue(Duration retention) {
        return nextDue(retention, facts());
    }

    @Nullable
    Instant nextDue(Duration retention, SagaFacts facts) {
        SagaStatus status = facts.status();
        if (status.isOpen() && deadline != null) {
            return deadline.suspended() == null ? earliest(deadline.nextDue(), stepDue()) : deadline.nextDue();
        }
        if (status.isActive() || needsAttention(facts)) {
            return null;
        }
        Instant last = status == SagaStatus.PLACEHOLDER ? facts.firstFactAt().orElse(null) : facts.endedAt();
        return last == null ? null : last.plus(retention);
    }

    private static Instant earliest(Instant one, @Nullable Instant other) {
        return other != null && other.isBefore(one) ? other : one;
    }

    /** Returns when the step that the orchestrator awaits times out; null if it does not. */
    private @Nullable Instant stepDue() {
        return stepInProgress()
                .map(SagaStepRecord::execution)
                .map(StepExecution::dueAt)
                .orElse(null);
    }

    /** Returns the step that has one of these names; empty if the saga does not have it. */
    public Optional<SagaStepRecord> findStep(Collection<String> names) {
        for (String name : names) {
            SagaStepRecord step = steps.get(name);
            if (step != null) {
                return Optional.of(step);
            }
        }
        return Optional.empty();
    }

    /** Returns the step of an orchestrated saga that was sent and not answered. */
    public Optional<SagaStepRecord> stepInProgress() {
        return steps.values().stream().filter(SagaStepRecord::isInProgress).findFirst();
    }

    /** Sets how the saga started. The fact that step 0 is done follows, so the status must not be settled yet. */
    SagaState started(String key, @Nullable String correlationId, Instant at, Duration timeLimit) {
        return start != null
                ? this
                : new SagaState(
                        sagaId,
                        sagaType,
                        kind,
                        service,
                        new SagaStart(key, correlationId, at),
                        SagaDeadline.at(at.plus(timeLimit)),
                        steps,
                        milestones,
                        attention,
                        data);
    }

    /** Records a fact. A step that this row does not know yet, because a newer version declares it, is added. */
    SagaState record(EventMeaning meaning, SagaFact fact) {
        SagaStepRecord step = steps.getOrDefault(meaning.step().event(), SagaStepRecord.of(meaning.step()));
        boolean completes = step.completing() && meaning.fact() == StepFact.DONE && !facts().isCompensating();
        return with(step.with(meaning.fact(), fact), completes ? milestones.withCompleted(fact) : milestones);
    }

    /** Leaves out a step or its compensation. */
    public SagaState skipped(String stepName, Instant at, @Nullable String reason) {
        SagaStepRecord step = steps.get(stepName);
        return step == null ? this : with(step.with(StepFact.SKIPPED, SagaFact.decided(at, reason)), milestones);
    }

    /** Stores how often a step was attempted. */
    public SagaState attempted(String stepName, int attempts) {
        SagaStepRecord step = steps.get(stepName);
        return step == null ? this : with(step.withAttempts(attempts), milestones);
    }

    /**
     * Records that the deadline has passed. With automatic compensation, the compensating event of step 0 is recorded
     * in the same commit, before or after; without it, the saga is TIMED_OUT and waits for an operator.
     */
    public SagaState timedOut(Instant at) {
        boolean applies = status().isActive() && milestones.timedOut() == null;
        return applies ? settled(milestones.withTimedOut(SagaFact.decided(at, timeoutReason()))) : this;
    }

    private String timeoutReason() {
        return status() == SagaStatus.COMPENSATING
                ? "timed out"
                : expected().stream()
                        .findFirst()
                        .map(event -> "timed out waiting for " + event.eventType() + " of service " + event.service())
                        .orElse("timed out");
    }

    /** Records that the local compensation appended nothing, because the business has moved on. */
    public SagaState notCancelled(Instant recheckAt) {
        if (deadline == null || !status().isOpen()) {
            return this;
        }
        SagaDeadline next = deadline.judgedWithoutEffect(recheckAt);
        SagaState judged = with(start, next, steps, milestones);
        return next.judgements() < MAX_JUDGEMENTS
                ? judged
                : judged.flagged("the deadline has passed, but the local compensation appended nothing "
                        + next.judgements() + " times");
    }

    /** Records that the local compensation failed. */
    public SagaState cancellationFailed(String failure, Instant recheckAt) {
        return deadline == null || !status().isOpen()
                ? this
                : with(start, deadline.judgedWithoutEffect(recheckAt), steps, milestones)
                        .flagged("the local compensation failed: " + failure);
    }

    /** Leaves the deadline alone until this time, because timeouts are disabled. */
    public SagaState postponed(Instant recheckAt) {
        return deadline == null || !status().isOpen()
                ? this
                : with(start, deadline.postponed(recheckAt), steps, milestones);
    }

    /** Suspends the deadline, or continues the suspension, because letters of the saga are parked. */
    public SagaState suspended(Collection<String> letters, Instant now) {
        return deadline == null || !status().isOpen()
                ? this
                : with(start, deadline.suspended(letters, now), steps, milestones);
    }

    /** Continues the suspension on the last answer, because the participants did not answer in time. */
    public SagaState unanswered(Instant now) {
        return deadline == null || !status().isOpen() ? this : with(start, deadline.unanswered(now), steps, milestones);
    }

    /** Ends the suspension. The saga gets its full time again. */
    public SagaState resumed(Instant now, Duration timeLimit) {
        return deadline == null || deadline.suspended() == null
                ? this
                : with(start, SagaDeadline.at(now.plus(timeLimit)), steps, milestones);
    }

    /** Records an operator's request to compensate. */
    public SagaState cancelRequested(Instant at, @Nullable String reason) {
        boolean applies = status().isOpen() || status() == SagaStatus.TIMED_OUT;
        return applies ? settled(milestones.withCancelRequested(SagaFact.decided(at, reason))) : this;
    }

    /** Ends a compensation as FAILED. */
    public SagaState gaveUp(Instant at, @Nullable String reason) {
        return status() == SagaStatus.COMPENSATING
                ? settled(milestones.withGaveUp(SagaFact.decided(at, reason)))
                : this;
    }

    /** Asks an operator to look at the saga. The first reason stays. */
    public SagaState flagged(String why) {
        return attention != null
                ? this
                : new SagaState(sagaId, sagaType, kind, service, start, deadline, steps, milestones, why, data);
    }

    /** Removes what the engine reported, after an operator has looked at it. */
    public SagaState unflagged() {
        return new SagaState(sagaId, sagaType, kind, service, start, deadline, steps, milestones, null, data);
    }

    /** Returns this saga with the record of a step, as its orchestrator has changed it. */
    public SagaState with(SagaStepRecord step) {
        return with(step, milestones);
    }

    /** Returns this saga with the steps of its definition, as the orchestrator knows it now. */
    public SagaState with(Collection<SagaStepRecord> newSteps) {
        SortedMap<String, SagaStepRecord> named = new TreeMap<>();
        newSteps.forEach(step -> named.put(step.name(), step));
        return with(start, deadline, named, milestones);
    }

    /** Returns this saga with new data. */
    public SagaState withData(Payload newData) {
        return new SagaState(sagaId, sagaType, kind, service, start, deadline, steps, milestones, attention, newData);
    }

    /** Completes an orchestrated saga whose last step is done. */
    public SagaState completed(Instant at) {
        return status().isOpen() ? settled(milestones.withCompleted(SagaFact.decided(at, null))) : this;
    }

    SagaFacts facts() {
        return SagaFacts.of(start, steps.values(), milestones);
    }

    private SagaState with(SagaStepRecord step, SagaMilestones next) {
        SortedMap<String, SagaStepRecord> changed = new TreeMap<>(steps);
        changed.put(step.name(), step);
        return with(start, deadline, changed, next);
    }

    private SagaState settled(SagaMilestones next) {
        return with(start, deadline == null ? null : deadline.settled(), steps, next);
    }

    /** Keeps COMPENSATED once it is reached, so that a late success does not reopen the saga. */
    private SagaState with(
            @Nullable SagaStart newStart,
            @Nullable SagaDeadline newDeadline,
            SortedMap<String, SagaStepRecord> newSteps,
            SagaMilestones next) {
        boolean compensated = SagaFacts.of(newStart, newSteps.values(), next).status() == SagaStatus.COMPENSATED;
        return new SagaState(
                sagaId,
                sagaType,
                kind,
                service,
                newStart,
                newDeadline,
                newSteps,
                compensated ? next.withCompensated() : next,
                attention,
                data);
    }
}
