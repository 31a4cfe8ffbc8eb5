package io.holdfast.saga;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that follows from the recorded facts of a saga. All methods are pure and total: they depend on which facts
 * are recorded, not on the order in which they arrived.
 *
 * @param start null for a placeholder
 * @param steps ordered by their number
 */
record SagaFacts(@Nullable SagaStart start, List<SagaStepRecord> steps, SagaMilestones milestones) {

    private static final Comparator<SagaStepRecord> BY_NUMBER =
            Comparator.comparingInt(SagaStepRecord::stepNumber).thenComparing(SagaStepRecord::name);

    static SagaFacts of(@Nullable SagaStart start, Collection<SagaStepRecord> steps, SagaMilestones milestones) {
        SagaStepRecord[] ordered = steps.toArray(SagaStepRecord[]::new);
        Arrays.sort(ordered, BY_NUMBER);
        return new SagaFacts(start, Arrays.asList(ordered), milestones);
    }

    SagaStatus status() {
        if (start == null) {
            return SagaStatus.PLACEHOLDER;
        }
        if (milestones.completed() != null) {
            return SagaStatus.COMPLETED;
        }
        if (milestones.gaveUp() != null) {
            return SagaStatus.FAILED;
        }
        if (milestones.compensated()) {
            return SagaStatus.COMPENSATED;
        }
        if (isCompensating()) {
            return isAnswered() ? SagaStatus.COMPENSATED : SagaStatus.COMPENSATING;
        }
        if (milestones.timedOut() != null) {
            return SagaStatus.TIMED_OUT;
        }
        return hasProgress() ? SagaStatus.IN_PROGRESS : SagaStatus.STARTED;
    }

    // Loops instead of streams: the committer derives the status several times per change of a row.

    private boolean isAnswered() {
        for (SagaStepRecord step : steps) {
            if (!step.isAnswered()) {
                return false;
            }
        }
        return true;
    }

    private boolean hasProgress() {
        for (SagaStepRecord step : steps) {
            if (step.stepNumber() > 0 && step.done() != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether nothing is known of some step. */
    boolean lackSteps() {
        for (SagaStepRecord step : steps) {
            if (step.status() == StepStatus.PENDING) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether there is a cause for compensation. */
    boolean isCompensating() {
        for (SagaStepRecord step : steps) {
            if (step.failed() != null || (step.stepNumber() == 0 && step.undone() != null)) {
                return true;
            }
        }
        return milestones.cancelRequested() != null;
    }

    private Stream<SagaFact> causes() {
        Stream<@Nullable SagaFact> failures = steps.stream().map(SagaStepRecord::failed);
        Stream<@Nullable SagaFact> cancellations =
                steps.stream().filter(step -> step.stepNumber() == 0).map(SagaStepRecord::undone);
        return Stream.of(failures, Stream.of(milestones.cancelRequested()), cancellations)
                .flatMap(facts -> facts)
                .filter(Objects::nonNull);
    }

    /** Returns when the first cause for compensation occurred. */
    Optional<Instant> compensatingSince() {
        return isCompensating() ? causes().map(SagaFact::at).min(Comparator.naturalOrder()) : Optional.empty();
    }

    /** Returns the reason of the earliest cause that names one. */
    Optional<String> reason() {
        return Stream.concat(Stream.ofNullable(milestones.timedOut()), causes())
                .filter(cause -> cause.reason() != null)
                .min(Comparator.comparing(SagaFact::at))
                .map(SagaFact::reason);
    }

    /** Returns when the saga reached its final status; null if it has not ended. */
    @Nullable
    Instant endedAt() {
        return switch (status()) {
            case COMPLETED -> Objects.requireNonNull(milestones.completed()).at();
            case FAILED -> Objects.requireNonNull(milestones.gaveUp()).at();
            case COMPENSATED ->
                Stream.concat(causes(), steps.stream().flatMap(SagaFacts::answers))
                        .map(SagaFact::at)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
            default -> null;
        };
    }

    private static Stream<SagaFact> answers(SagaStepRecord step) {
        return Stream.of(step.failed(), step.undone(), step.withdrawn(), step.skipped())
                .filter(Objects::nonNull);
    }

    /** Returns when the first fact occurred. */
    Optional<Instant> firstFactAt() {
        return steps.stream().flatMap(SagaStepRecord::facts).map(SagaFact::at).min(Comparator.naturalOrder());
    }

    /** Returns why an operator must look at the saga, as far as it follows from the facts. */
    Optional<String> attention() {
        SagaStatus status = status();
        if (status == SagaStatus.PLACEHOLDER || status == SagaStatus.COMPLETED) {
            return Optional.empty();
        }
        for (SagaStepRecord step : steps) {
            if (status == SagaStatus.COMPENSATED && step.needsUndo()) {
                return Optional.of(step.name() + " of service " + step.service()
                        + " succeeded after the saga was compensated, and is not undone");
            }
        }
        for (SagaStepRecord step : steps) {
            if (step.completing() && step.status() == StepStatus.COMPLETED) {
                return Optional.of(
                        step.name() + " of service " + step.service() + " came while the saga was compensating");
            }
        }
        return Optional.empty();
    }

    List<ExpectedEvent> expected() {
        return switch (status()) {
            case PLACEHOLDER ->
                steps.stream()
                        .limit(1)
                        .map(step -> expected(step, step.name(), firstFactAt().orElse(Instant.EPOCH)))
                        .toList();
            case STARTED, IN_PROGRESS, TIMED_OUT ->
                steps.stream()
                        .filter(step -> step.status() == StepStatus.PENDING)
                        .limit(1)
                        .map(step -> expected(step, step.outcome(), awaitedSince(step)))
                        .toList();
            case COMPENSATING ->
                steps.stream()
                        .filter(SagaStepRecord::isAwaitedByCompensation)
                        .map(step -> expected(step, step.answer(), unansweredSince(step)))
                        .toList();
            case COMPLETED, COMPENSATED, FAILED -> List.of();
        };
    }

    private static ExpectedEvent expected(SagaStepRecord step, String eventType, Instant since) {
        return new ExpectedEvent(step.stepNumber(), eventType, step.service(), since);
    }

    private Instant awaitedSince(SagaStepRecord step) {
        StepExecution execution = step.execution();
        return execution != null && execution.sent() != null ? execution.sent().at() : lastProgress();
    }

    private Instant lastProgress() {
        return steps.stream()
                .flatMap(step -> Stream.ofNullable(step.done()))
                .map(SagaFact::at)
                .max(Comparator.naturalOrder())
                .orElseGet(() -> Objects.requireNonNull(start).at());
    }

    private Instant unansweredSince(SagaStepRecord step) {
        StepExecution execution = step.execution();
        if (execution != null && execution.undoSent() != null) {
            return execution.undoSent().at();
        }
        Instant cause = compensatingSince().orElseThrow();
        SagaFact done = step.done();
        return done != null && done.at().isAfter(cause) ? done.at() : cause;
    }
}
