package io.holdfast.saga.orchestration;

import java.util.List;

/**
 * The undo of a step that sends a command. It needs {@link #repliedBy}.
 *
 * @param <D> the data of the saga
 */
public final class CommandUndo<D> extends DeclaredStep<D> {

    CommandUndo(SagaDefinitionBuilder<D> definition, StepDraft<D> draft) {
        super(definition, draft);
    }

    /**
     * Declares the events that answer the undo, in the stream of the step's replies: the step is undone, or it was withdrawn
     * because there was nothing to undo.
     */
    public CommandUndo<D> repliedBy(String... eventTypes) {
        draft.undoReplies.addAll(List.of(eventTypes));
        return this;
    }
}
