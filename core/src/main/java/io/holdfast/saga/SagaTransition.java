package io.holdfast.saga;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What changed between two states of a saga, for metrics. Over the history of a saga, each change is reported at most
 * once.
 *
 * @param started whether the saga has started
 * @param ended the final status, if the saga has just reached it, or null
 * @param timedOut whether its deadline was judged to have passed
 * @param lateSteps the steps that succeeded after compensation had begun, or that were recorded after the saga had ended
 *     as COMPENSATED or FAILED
 * @param stepDurations by the name of each step that was just done: the time since the step before it
 * @param duration how long the saga took, if it has just ended, or null
 * @param compensationDuration how long its compensation took, if it has just been compensated, or null
 */
public record SagaTransition(
        boolean started,
        @Nullable SagaStatus ended,
        boolean timedOut,
        List<String> lateSteps,
        Map<String, Duration> stepDurations,
        @Nullable Duration duration,
        @Nullable Duration compensationDuration) {

    /** @param before the state before the change, or null if the row is new */
    public static SagaTransition between(@Nullable SagaState before, SagaState after) {
        SagaStatus from = before == null ? SagaStatus.PLACEHOLDER : before.status();
        SagaFacts facts = after.facts();
        SagaStatus to = facts.status();
        @Nullable SagaStatus ended = !from.isFinal() && to.isFinal() ? to : null;
        List<SagaStepRecord> done = newlyDone(before, facts);
        return new SagaTransition(
                from == SagaStatus.PLACEHOLDER && to != SagaStatus.PLACEHOLDER,
                ended,
                after.milestones().timedOut() != null
                        && (before == null || before.milestones().timedOut() == null),
                lateSteps(done, from, after),
                stepDurations(done, facts),
                ended == null
                        ? null
                        : duration(Optional.ofNullable(after.start()).map(SagaStart::at), after),
                ended == SagaStatus.COMPENSATED ? duration(after.compensatingSince(), after) : null);
    }

    private static List<String> lateSteps(List<SagaStepRecord> done, SagaStatus from, SagaState after) {
        return from == SagaStatus.COMPENSATING || from == SagaStatus.COMPENSATED || from == SagaStatus.FAILED
                ? done.stream()
                        .filter(step -> isLate(step, from, after))
                        .map(SagaStepRecord::name)
                        .toList()
                : List.of();
    }

    /** While the saga compensates, a step may be recorded that was done before; streams are read independently. */
    private static boolean isLate(SagaStepRecord step, SagaStatus from, SagaState after) {
        SagaFact done = step.done();
        boolean ended = from == SagaStatus.COMPENSATED || from == SagaStatus.FAILED;
        return ended
                || (from == SagaStatus.COMPENSATING
                        && done != null
                        && after.compensatingSince().filter(done.at()::isAfter).isPresent());
    }

    private static List<SagaStepRecord> newlyDone(@Nullable SagaState before, SagaFacts after) {
        List<SagaStepRecord> done = new ArrayList<>();
        for (SagaStepRecord step : after.steps()) {
            if (step.done() != null && !wasDone(before, step.name())) {
                done.add(step);
            }
        }
        return done;
    }

    private static boolean wasDone(@Nullable SagaState before, String name) {
        SagaStepRecord step = before == null ? null : before.steps().get(name);
        return step != null && step.done() != null;
    }

    private static Map<String, Duration> stepDurations(List<SagaStepRecord> done, SagaFacts after) {
        Map<String, Duration> durations = new LinkedHashMap<>();
        for (SagaStepRecord step : done) {
            SagaFact fact = step.done();
            SagaFact previous = previousDone(step, after.steps());
            if (fact != null && previous != null) {
                durations.put(step.name(), between(previous.at(), fact.at()));
            }
        }
        return durations;
    }

    private static @Nullable SagaFact previousDone(SagaStepRecord step, List<SagaStepRecord> ordered) {
        SagaFact previous = null;
        for (SagaStepRecord other : ordered) {
            if (other.stepNumber() < step.stepNumber() && other.done() != null) {
                previous = other.done();
            }
        }
        return previous;
    }

    private static @Nullable Duration duration(Optional<Instant> from, SagaState after) {
        return from.flatMap(start -> after.endedAt().map(end -> between(start, end)))
                .orElse(null);
    }

    /** Clocks of services differ, so an effect can seem to precede its cause. */
    private static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}
