package io.holdfast.processing.segment;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import io.holdfast.handling.Recovery;
import io.holdfast.parking.FailurePolicy;
import io.holdfast.parking.ParkedSequences;
import io.holdfast.token.ComponentDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides what becomes of an event that failed: its sequence waits, or the recovery of its component handles it. Not
 * thread-safe; used by one thread at a time.
 */
final class FailedEvents {

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final Instant now;

    FailedEvents(ProcessorContext context, ParkedSequences parked, Instant now) {
        this.context = context;
        this.parked = parked;
        this.now = now;
    }

    /**
     * Runs the recovery of the event's component if the event would become PENDING, or if the enqueue policy would drop
     * it. Runs it once per final failure, however often a unit is built.
     *
     * @param before the sequence before the failure
     * @param letter the stored letter, or the one to be stored
     * @return whether the event is handled now
     */
    boolean recover(HandlerTask task, ParkedSequence before, DeadLetter letter) {
        Recovery recovery = task.component().component().recovery().orElse(null);
        if (recovery == null || task.finalFailure() != null) {
            return false;
        }
        ParkedSequence after = waiting(task, before).orElseGet(() -> failed(task, before));
        return isFinal(task, after, letter) && task.recover(recovery, after.attempts());
    }

    /** An event that awaits another version has not failed, even once it has waited for too long. */
    private static boolean isFinal(HandlerTask task, ParkedSequence after, DeadLetter letter) {
        if (isAwaiting(after) || after.state() == SequenceState.HELD) {
            return false;
        }
        return after.state() == SequenceState.PENDING || !task.verdict(letter).parked();
    }

    /**
     * Returns the sequence as awaiting another version or as HELD, if the failure says nothing about the event. The
     * failure of a recovery is final in any case. An event that was HELD for too long was not attempted, so it must not
     * delay the next probe.
     */
    Optional<ParkedSequence> waiting(HandlerTask task, ParkedSequence before) {
        if (task.finalFailure() != null || task.failure() instanceof HeldTooLongException) {
            return Optional.empty();
        }
        FailurePolicy policy = context.parking().policy();
        Duration waited = parked.waited(before);
        return policy.awaiting(task.failure(), awaited(task), before, waited)
                .or(() -> policy.held(task.failure(), task.component().component(), before, waited));
    }

    private String awaited(HandlerTask task) {
        EventMessage event = task.event();
        if (task.component().handles(event, context.handlers().codec())) {
            return ParkedSequence.ANY_VERSION;
        }
        Payload payload = event.payload();
        String awaited = ComponentDefinition.revisionOf(payload.type(), payload.revision());
        return task.component().wants(event) ? awaited : ComponentDefinition.inSaga(awaited, event);
    }

    /** Returns whether a sequence awaits another version. It needs no room: it must not block this version. */
    static boolean isAwaiting(ParkedSequence sequence) {
        return sequence.awaits() != null;
    }

    /** Returns the sequence after a failure of the event itself. */
    ParkedSequence failed(HandlerTask task, ParkedSequence before) {
        FinalFailure recovered = task.finalFailure();
        if (recovered != null) {
            return before.pending(recovered.attempts(), now);
        }
        if (task.failure() instanceof HeldTooLongException) {
            return before.pending(before.attempts(), now);
        }
        return context.parking()
                .policy()
                .failed(task.failure(), task.component().component(), before);
    }
}
