package io.holdfast.saga.orchestration;

import io.holdfast.event.EventMessage;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepExecution;
import io.holdfast.saga.orchestration.StepDefinition.SentCommand;
import io.holdfast.saga.orchestration.StepDefinition.SentUndo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which events answer which steps. Immutable. */
final class Replies<D> {

    private final Map<String, List<Meaning<D>>> byType = new LinkedHashMap<>();

    Replies(List<StepDefinition<D>> steps) {
        for (StepDefinition<D> step : steps) {
            if (step.action() instanceof SentCommand<D> command) {
                command.replies().keySet().forEach(type -> add(type, step, Outcome.SUCCESS));
                command.refusals().forEach(type -> add(type, step, Outcome.REFUSAL));
            }
            if (step.undo() instanceof SentUndo<D> undo) {
                undo.replies().forEach(type -> add(type, step, Outcome.UNDONE));
            }
        }
    }

    private void add(String type, StepDefinition<D> step, Outcome outcome) {
        byType.computeIfAbsent(type, unknown -> new ArrayList<>()).add(new Meaning<>(step, outcome));
    }

    Set<String> eventTypes() {
        return byType.keySet();
    }

    /**
     * Returns what an event means for a saga. If several steps declare its type, it answers the one whose command caused it,
     * otherwise the one that the saga waits for.
     *
     * @param eventType the type after upcasting
     */
    Optional<Meaning<D>> find(String eventType, EventMessage event, SagaState saga) {
        List<Meaning<D>> candidates = byType.getOrDefault(eventType, List.of());
        if (candidates.size() <= 1) {
            return candidates.stream().findFirst();
        }
        String cause = event.metadata().causationId().orElse("");
        return candidates.stream()
                .filter(meaning -> isCausedBy(meaning.command(saga), cause))
                .findFirst()
                .or(() -> candidates.stream()
                        .filter(meaning -> meaning.isAwaited(saga))
                        .findFirst());
    }

    private static boolean isCausedBy(@Nullable SagaFact command, String cause) {
        return command != null && Objects.toString(command.eventId()).equals(cause);
    }

    /** What an event reports about a step. */
    enum Outcome {
        SUCCESS,
        REFUSAL,
        UNDONE
    }

    record Meaning<D>(StepDefinition<D> step, Outcome outcome) {

        /** Returns the command that the event answers; null if none was sent. */
        private @Nullable SagaFact command(SagaState saga) {
            StepExecution execution =
                    saga.findStep(step.names()).map(SagaStepRecord::execution).orElse(null);
            if (execution == null) {
                return null;
            }
            return outcome == Outcome.UNDONE ? execution.undoSent() : execution.sent();
        }

        private boolean isAwaited(SagaState saga) {
            SagaStepRecord record = saga.findStep(step.names()).orElse(null);
            if (record == null || command(saga) == null) {
                return false;
            }
            return outcome == Outcome.UNDONE ? !record.isAnswered() : record.isInProgress();
        }
    }
}
