package io.holdfast.saga.orchestration;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A declared step. Immutable.
 *
 * @param formerNames names under which sagas that run may know the step
 * @param undo what reverses the step, or null
 * @param retired whether only sagas that have started with the step still have it
 * @param parks whether a final failure parks the event for an operator, instead of starting the compensation
 */
record StepDefinition<D>(
        String name,
        Set<String> formerNames,
        Predicate<? super D> condition,
        Action<D> action,
        @Nullable Undo<D> undo,
        @Nullable Duration timeout,
        RetryOverrides retry,
        @Nullable String breaker,
        boolean retired,
        boolean parks) {

    static final String UNDO_SUFFIX = ".undo";

    /** Returns the name and all former names. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>(formerNames);
        names.add(name);
        return names;
    }

    Optional<String> replyStream() {
        return action instanceof SentCommand<D> command ? Optional.of(command.stream) : Optional.empty();
    }

    /** Returns the events that report a refusal. */
    List<String> refusals() {
        return action instanceof SentCommand<D> command ? List.copyOf(command.refusals) : List.of();
    }

    /** Returns the name of what undoes the step, as operators see it; null if nothing does. */
    @Nullable
    String undoName() {
        if (undo == null) {
            return null;
        }
        return undo instanceof SentUndo<D> command ? command.replies.iterator().next() : name + UNDO_SUFFIX;
    }

    /** What a step does. */
    sealed interface Action<D> permits LocalAction, CallAction, SentCommand {}

    /** What reverses a step. */
    sealed interface Undo<D> permits LocalAction, CallAction, SentUndo {}

    /** Decides inside the commit. */
    record LocalAction<D>(BiConsumer<? super D, DecisionContext> decide) implements Action<D>, Undo<D> {}

    /**
     * Calls another system.
     *
     * @param call returns a value or a stage
     * @param blocking whether the call blocks its thread
     * @param then the data after the call
     */
    record CallAction<D>(SagaCall<? super D, ?> call, boolean blocking, BiFunction<D, @Nullable Object, D> then)
            implements Action<D>, Undo<D> {}

    /**
     * Sends a command that another service answers by events.
     *
     * @param stream contains the replies
     * @param replies the events that report success, each with the data after it
     * @param refusals the events that report a refusal
     */
    record SentCommand<D>(
            Function<? super D, ?> command, String stream, Map<String, Reply<D, ?>> replies, Set<String> refusals)
            implements Action<D> {

        SentCommand {
            replies = Collections.unmodifiableMap(new LinkedHashMap<>(replies));
            refusals = Collections.unmodifiableSet(new LinkedHashSet<>(refusals));
        }

        /** Returns the type of the event that is most likely to answer. */
        String firstReply() {
            return replies.keySet().iterator().next();
        }
    }

    /** @param replies the events that report that the step is undone, or that there was nothing to undo */
    record SentUndo<D>(Function<? super D, ?> command, Set<String> replies) implements Undo<D> {

        SentUndo {
            replies = Collections.unmodifiableSet(new LinkedHashSet<>(replies));
        }
    }

    /**
     * How an event that reports success changes the data.
     *
     * @param type the class of the event; null if the data stays the same
     */
    record Reply<D, R>(@Nullable Class<R> type, BiFunction<? super D, ? super R, ? extends D> then) {

        /** Returns a reply that does not change the data. */
        static <D> Reply<D, Object> unread() {
            return new Reply<>(null, (data, unread) -> data);
        }
    }
}
