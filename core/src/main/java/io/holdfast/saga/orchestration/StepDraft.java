package io.holdfast.saga.orchestration;

import io.holdfast.resilience.RetryOverrides;
import io.holdfast.saga.orchestration.StepDefinition.LocalAction;
import io.holdfast.saga.orchestration.StepDefinition.Reply;
import io.holdfast.saga.orchestration.StepDefinition.SentCommand;
import io.holdfast.saga.orchestration.StepDefinition.SentUndo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A step whose declaration may continue. Not thread-safe. */
final class StepDraft<D> {

    final String name;
    final Set<String> formerNames = new LinkedHashSet<>();
    Predicate<? super D> condition = data -> true;
    StepDefinition.@Nullable Action<D> action;
    StepDefinition.@Nullable Undo<D> undo;

    @Nullable
    Duration timeout;

    RetryOverrides retry = RetryOverrides.NONE;

    @Nullable
    String breaker;

    boolean retired;
    boolean parks;

    /** The command, until its replies are known. */
    @Nullable
    Function<? super D, ?> command;

    final Set<String> streams = new LinkedHashSet<>();
    final Map<String, Reply<D, ?>> replies = new LinkedHashMap<>();
    final Set<String> refusals = new LinkedHashSet<>();

    @Nullable
    Function<? super D, ?> undoCommand;

    final Set<String> undoReplies = new LinkedHashSet<>();

    StepDraft(String name) {
        this.name = name;
    }

    /** Returns all event types that answer the command or its undo, as often as they are declared. */
    List<String> replyTypes() {
        List<String> types = new ArrayList<>(replies.keySet());
        types.addAll(refusals);
        types.addAll(undoReplies);
        return types;
    }

    StepDefinition<D> step() {
        StepDefinition.Action<D> declared = command == null
                ? Objects.requireNonNullElseGet(action, () -> new LocalAction<>((data, decision) -> {}))
                : new SentCommand<>(command, String.join("", streams), replies, refusals);
        return new StepDefinition<>(
                name,
                Set.copyOf(formerNames),
                condition,
                declared,
                undoCommand == null ? undo : new SentUndo<>(undoCommand, undoReplies),
                timeout,
                retry,
                breaker,
                retired,
                parks);
    }
}
