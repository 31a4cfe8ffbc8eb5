package io.holdfast.saga.orchestration;

import io.holdfast.event.EventType;
import io.holdfast.saga.orchestration.StepDefinition.Reply;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A step that sends a command to another service. It needs at least one {@code repliedBy}.
 *
 * @param <D> the data of the saga
 */
public final class CommandStep<D> extends DeclaredStep<D> {

    CommandStep(SagaDefinitionBuilder<D> definition, StepDraft<D> draft) {
        super(definition, draft);
    }

    /** Declares the events that report success, and the stream that contains them and all other replies to this step. */
    public CommandStep<D> repliedBy(String stream, String... eventTypes) {
        draft.streams.add(stream);
        List.of(eventTypes).forEach(type -> draft.replies.put(type, Reply.unread()));
        return this;
    }

    /**
     * Declares an event that reports success and changes the data.
     *
     * @param then returns the data after the event; a pure function
     */
    public <R> CommandStep<D> repliedBy(
            String stream, Class<R> eventType, BiFunction<? super D, ? super R, ? extends D> then) {
        draft.streams.add(stream);
        draft.replies.put(EventType.Of.name(eventType), new Reply<D, R>(eventType, then));
        return this;
    }

    /** Declares the events that report that the service refuses the command. The step then has no effect. */
    public CommandStep<D> refusedBy(String... eventTypes) {
        draft.refusals.addAll(List.of(eventTypes));
        return this;
    }

    /**
     * Limits the time until a reply. After that, the outcome is unknown: the saga is compensated, beginning with the undo of
     * this step. While an event of the saga is parked, the time does not count.
     */
    public CommandStep<D> timeout(Duration time) {
        draft.timeout = time;
        return this;
    }

    /**
     * Declares the command that reverses the step. The other service must answer it even if it has not handled the command:
     * it then appends a withdrawal, and refuses the command later. One component must handle both, so that they stay in
     * order.
     *
     * @param command returns the payload of the command; a pure function
     */
    public CommandUndo<D> undo(Function<? super D, ?> command) {
        draft.undoCommand = command;
        return new CommandUndo<>(definition(), draft);
    }
}
