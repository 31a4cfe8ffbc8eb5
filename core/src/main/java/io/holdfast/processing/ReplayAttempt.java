package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A try to handle parked letters again: the first ones of one sequence, in order, as far as it goes.
 *
 * @param sequence as it was when the try began
 * @param tasks one for each letter
 * @param next the letter behind them, if there was one
 * @param probedBreaker the breaker whose probe it is, or null
 * @param requested whether somebody has asked for it
 */
record ReplayAttempt(
        ParkedSequence sequence,
        List<HandlerTask> tasks,
        @Nullable DeadLetter next,
        @Nullable String probedBreaker,
        boolean requested) {

    static DeadLetter letter(HandlerTask task) {
        return Objects.requireNonNull(task.letter(), "a drain has letters");
    }

    boolean isRunning() {
        return tasks.stream().anyMatch(task -> task.state() == HandlerTask.State.RUNNING);
    }

    /** Whether its handlers are to be called. */
    boolean isWaiting() {
        return tasks.get(0).state() == HandlerTask.State.WAITING;
    }

    /** Whether a person was waited for, or has asked for it. */
    boolean involvesOperator() {
        return requested || sequence.state() == SequenceState.PENDING;
    }

    /** The same, where what was handled has to be handled again; without what comes after a failure. */
    ReplayAttempt restarted() {
        if (tasks.get(0).state() == HandlerTask.State.FAILED) {
            return this;
        }
        List<HandlerTask> before = tasks.stream()
                .takeWhile(task -> task.state() != HandlerTask.State.FAILED)
                .toList();
        before.forEach(HandlerTask::restart);
        return first(before.size());
    }

    /** The first of its letters only. */
    ReplayAttempt first(int count) {
        DeadLetter behind = count < tasks.size() ? letter(tasks.get(count)) : next;
        return new ReplayAttempt(sequence, tasks.subList(0, count), behind, probedBreaker, requested);
    }

    /** How many letters have been handled, from the head on. */
    int handled() {
        int count = 0;
        while (count < tasks.size() && tasks.get(count).state() == HandlerTask.State.HANDLED) {
            count++;
        }
        return count;
    }

    /** The one that has failed behind those that were handled, if one has. */
    @Nullable
    HandlerTask failed() {
        int handled = handled();
        boolean hasFailed = handled < tasks.size() && tasks.get(handled).state() == HandlerTask.State.FAILED;
        return hasFailed ? tasks.get(handled) : null;
    }

    /** Whether there is anything to store of it. */
    boolean hasResult() {
        return handled() > 0 || failed() != null;
    }

    /** A sequence whose head is the first letter of this drain, should those before it have been taken out. */
    ParkedSequence advancedToFirstLetter(ParkedSequence before) {
        DeadLetter first = letter(tasks.get(0));
        return first.number() == before.first()
                ? before
                : before.with(first.number(), before.last(), before.size(), first.enqueuedAt());
    }

    /** A sequence without the first letters of this drain. What came behind them meanwhile is parked since now at most. */
    ParkedSequence shortened(ParkedSequence before, int gone, Instant now) {
        DeadLetter head = gone < tasks.size() ? letter(tasks.get(gone)) : next;
        long number = head == null ? letter(tasks.get(gone - 1)).number() + 1 : head.number();
        return before.shortened(number, before.size() - gone, head == null ? now : head.enqueuedAt(), now);
    }
}
