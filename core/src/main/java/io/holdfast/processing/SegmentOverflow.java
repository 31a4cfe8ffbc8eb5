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
    private boolean leavesHeld;
    private boolean tried;
    private boolean committed;

    SegmentOverflow(ProcessingBackoff hold) {
        this.backoff = hold;
    }

    /** A unit was refused: the next ones keep to what needs no room, for a while. */
    void because(DeadLetterQueueOverflowException overflow, @Nullable EventMessage event) {
        full.add(overflow.component());
        tried = false;
        committed = false;
        backoff.backOff(overflow, event);
    }

    /** Whether it is time to handle again what could not be parked; once after each refusal. */
    boolean takeRetry() {
        boolean isTime = isOn() && !tried && backoff.remaining().isZero();
        tried |= isTime;
        return isTime;
    }

    /** Whether the segment takes nothing new. */
    boolean isOn() {
        return !full.isEmpty();
    }

    /**
     * Whether another queue is full already, and this one turns out to be: what has no room in both is left out together, or
     * each would keep the other's from being found for as long as they take turns.
     */
    boolean isOnFor(String another) {
        return isOn() && !isFull(another);
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
    void formed(boolean leavesOut) {
        leavesHeld = leavesOut;
    }

    /** A unit is durable that was formed since. */
    void committed() {
        committed = true;
    }

    /** Ends if nothing waits for room any more. */
    void endIfRoom(ParkedSequences parked, SegmentEntries entries) {
        if (!isOn() || !committed) {
            return;
        }
        denied.entrySet().removeIf(entry -> isOver(parked.known(entry.getKey()), entry.getValue()));
        boolean isWaiting =
                entries.open().stream().anyMatch(task -> isFull(task.component().id()));
        if (!isWaiting && !leavesHeld && denied.isEmpty()) {
            full.clear();
            backoff.clear();
        }
    }

    private static boolean isOver(@Nullable ParkedSequence now, long head) {
        return now == null || now.first() != head || now.state() != SequenceState.RETRYING;
    }

    /** What waited for room was let go, and comes again. */
    void letGo() {
        committed = true;
    }

    /** How long until it is tried again. While it is, there is nothing to wait for but its end. */
    Duration untilRetry() {
        return tried ? SegmentWork.POLL : backoff.remaining();
    }

    ProcessingBackoff backoff() {
        return backoff;
    }
}
