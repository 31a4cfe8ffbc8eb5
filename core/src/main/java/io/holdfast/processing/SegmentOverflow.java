package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the segment takes no more. What would have to be parked there waits, and nothing new is read; what is parked
 * goes on, since that makes room. From time to time it is tried again. For one thread at a time.
 */
final class SegmentOverflow {

    private final ProcessingBackoff backoff;
    private final Set<String> full = new HashSet<>();
    private final Map<SequenceId, Long> denied = new HashMap<>();
    private boolean leavesOutHeld;
    private boolean retried;
    private boolean committed;

    SegmentOverflow(ProcessingBackoff hold) {
        this.backoff = hold;
    }

    /** A unit was refused: the next ones keep to what needs no room, for a while. */
    void recordOverflow(DeadLetterQueueOverflowException overflow, @Nullable EventMessage event) {
        full.add(overflow.component());
        retried = false;
        committed = false;
        backoff.backOff(overflow, event);
    }

    /** Whether it is time to handle again what could not be parked; once after each refusal. */
    boolean startRetryIfDue() {
        boolean isTime = isActive() && !retried && backoff.remaining().isZero();
        retried |= isTime;
        return isTime;
    }

    /** Whether the segment takes nothing new. */
    boolean isActive() {
        return !full.isEmpty();
    }

    /**
     * Whether another queue is full already, and this one turns out to be: what has no room in both is left out together, or
     * each would keep the other's from being found for as long as they take turns.
     */
    boolean isOtherQueueFull(String another) {
        return isActive() && !isFull(another);
    }

    boolean isFull(String component) {
        return full.contains(component);
    }

    /** Whether a unit must not park anything in the queue of this component. */
    boolean isRestricting(String component) {
        return isFull(component) && !backoff.remaining().isZero();
    }

    /** A sequence that was to wait for a person cannot. It is tried again instead, until it can, and holds the segment. */
    ParkedSequence deny(ParkedSequence pending, Instant now) {
        denied.put(pending.id(), pending.first());
        return pending.retrying(pending.attempts(), now.plus(backoff.remaining()));
    }

    /** @param leavesOut whether the unit that is formed now leaves out sequences that were held for too long */
    void unitFormed(boolean leavesOut) {
        leavesOutHeld = leavesOut;
    }

    /** A unit is durable that was formed since. */
    void unitCommitted() {
        committed = true;
    }

    /** Ends if nothing waits for room any more. */
    void clearIfRoom(ParkedSequences parked, SegmentBacklog entries) {
        if (!isActive() || !committed) {
            return;
        }
        denied.entrySet().removeIf(entry -> isResolved(parked.findCached(entry.getKey()), entry.getValue()));
        boolean isWaiting = entries.openTasks().stream()
                .anyMatch(task -> isFull(task.component().id()));
        if (!isWaiting && !leavesOutHeld && denied.isEmpty()) {
            full.clear();
            backoff.clear();
        }
    }

    private static boolean isResolved(@Nullable ParkedSequence now, long head) {
        return now == null || now.first() != head || now.state() != SequenceState.RETRYING;
    }

    /** What waited for room was let go, and comes again. */
    void backlogAbandoned() {
        committed = true;
    }

    /** How long until it is tried again. While it is, there is nothing to wait for but its end. */
    Duration untilRetry() {
        return retried ? SegmentWorker.POLL_INTERVAL : backoff.remaining();
    }

    ProcessingBackoff backoff() {
        return backoff;
    }
}
