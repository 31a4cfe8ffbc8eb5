package io.holdfast.processing.segment;

import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.parking.ParkedSequences;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles full dead-letter queues of a segment. Events that would have to be parked wait, and the segment reads nothing
 * new. Replays continue, because they make room. Parking is retried with backoff. Not thread-safe; used by one thread
 * at a time.
 */
public final class SegmentOverflow {

    private final ProcessingBackoff backoff;
    private final Set<String> full = new HashSet<>();
    private final Map<SequenceId, Long> denied = new HashMap<>();
    private boolean leavesOutHeld;
    private boolean retried;
    private boolean committed;

    public SegmentOverflow(ProcessingBackoff backoff) {
        this.backoff = backoff;
    }

    /** Records that a unit was rejected. During the backoff, the next units contain only what needs no room. */
    void recordOverflow(DeadLetterQueueOverflowException overflow, @Nullable EventMessage event) {
        full.add(overflow.component());
        retried = false;
        committed = false;
        backoff.backOff(overflow, event);
    }

    /**
     * Returns whether to handle again what could not be parked: once after each rejection, when the backoff has passed.
     */
    boolean startRetryIfDue() {
        boolean isTime = isActive() && !retried && backoff.remaining().isZero();
        retried |= isTime;
        return isTime;
    }

    /** Returns whether the segment reads nothing new. */
    boolean isActive() {
        return !full.isEmpty();
    }

    /**
     * Returns whether another queue is full already and this one turns out to be full too. Events without room in
     * either are then left out together; otherwise each of the two would hide the other, alternately.
     */
    boolean isOtherQueueFull(String component) {
        return isActive() && !isFull(component);
    }

    boolean isFull(String component) {
        return full.contains(component);
    }

    /** Returns whether a unit must not park anything in the queue of this component. */
    boolean isRestricting(String component) {
        return isFull(component) && !backoff.remaining().isZero();
    }

    /** Denies PENDING to a sequence. It is retried instead until there is room, and blocks the segment meanwhile. */
    ParkedSequence deny(ParkedSequence pending, Instant now) {
        denied.put(pending.id(), pending.first());
        return pending.retrying(pending.attempts(), now.plus(backoff.remaining()));
    }

    /** @param leavesOut whether the unit being built leaves out sequences that have been HELD for too long */
    void unitFormed(boolean leavesOut) {
        leavesOutHeld = leavesOut;
    }

    /** Records that a unit built since the overflow is durable. */
    void unitCommitted() {
        committed = true;
    }

    /** Ends the overflow if nothing waits for room. */
    void clearIfRoom(ParkedSequences parked, SegmentBacklog backlog) {
        if (!isActive() || !committed) {
            return;
        }
        denied.entrySet().removeIf(entry -> isResolved(parked.findCached(entry.getKey()), entry.getValue()));
        boolean isWaiting = backlog.openTasks().stream()
                .anyMatch(task -> isFull(task.component().id()));
        if (!isWaiting && !leavesOutHeld && denied.isEmpty()) {
            full.clear();
            backoff.clear();
        }
    }

    private static boolean isResolved(@Nullable ParkedSequence now, long first) {
        return now == null || now.first() != first || now.state() != SequenceState.RETRYING;
    }

    /** Records that the events without room were dropped and will be read again. */
    void backlogAbandoned() {
        committed = true;
    }

    /** Returns the time until the next retry. During a retry there is nothing to wait for except its end. */
    Duration untilRetry() {
        return retried ? SegmentWorker.POLL_INTERVAL : backoff.remaining();
    }

    ProcessingBackoff backoff() {
        return backoff;
    }
}
