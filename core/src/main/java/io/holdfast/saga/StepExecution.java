package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an orchestrator has come with a step, apart from its outcome. Immutable.
 *
 * @param sent the command or trigger that started the step, or null
 * @param reply the type of the event that answers the command; null if the step is not a command
 * @param dueAt when the step times out, or null
 * @param unknown whether a step that failed may have taken effect, so that it must be undone
 * @param undoSent the command or trigger that started its undo, or null
 */
public record StepExecution(
        @Nullable SagaFact sent,
        @Nullable String reply,
        @Nullable Instant dueAt,
        boolean unknown,
        @Nullable SagaFact undoSent) {

    static final StepExecution NOT_STARTED = new StepExecution(null, null, null, false, null);

    @JsonCreator
    static StepExecution read(
            @JsonProperty("sent") @Nullable SagaFact sent,
            @JsonProperty("reply") @Nullable String reply,
            @JsonProperty("dueAt") @Nullable Instant dueAt,
            @JsonProperty("unknown") @Nullable Boolean unknown,
            @JsonProperty("undoSent") @Nullable SagaFact undoSent) {
        return new StepExecution(sent, reply, dueAt, Boolean.TRUE.equals(unknown), undoSent);
    }

    /** Returns whether nothing of a step that is not done needs to be undone. */
    boolean isAnswered(boolean failed, boolean withdrawn) {
        return withdrawn || (failed ? !unknown : sent == null);
    }

    /** Starts the step. */
    public StepExecution sent(SagaFact command, @Nullable String expectedReply, @Nullable Instant due) {
        return new StepExecution(command, expectedReply, due, unknown, undoSent);
    }

    /** Records that a step which failed may have taken effect. */
    public StepExecution ofUnknownOutcome() {
        return new StepExecution(sent, reply, dueAt, true, undoSent);
    }

    /** Records that a step which seemed to be of unknown outcome was refused. */
    public StepExecution refused() {
        return new StepExecution(sent, reply, dueAt, false, undoSent);
    }

    /** Gives the step its full time again. */
    public StepExecution withDueAt(@Nullable Instant due) {
        return new StepExecution(sent, reply, due, unknown, undoSent);
    }

    /** Starts the undo. */
    public StepExecution undoSent(SagaFact command) {
        return new StepExecution(sent, reply, dueAt, unknown, command);
    }
}
