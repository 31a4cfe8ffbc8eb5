package io.holdfast.processing.segment;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to handle parked letters again: the first ones of one sequence, in order, until one fails.
 *
 * @param sequence the sequence as it was when the attempt started
 * @param tasks one task per letter
 * @param next the letter behind them, if there was one
 * @param probedBreaker the breaker that the attempt probes, or null
 * @param requested whether a caller requested the replay
 * @param action the action that requested it, or null
 */
record ReplayAttempt(
        ParkedSequence sequence,
        List<HandlerTask> tasks,
        @Nullable DeadLetter next,
        @Nullable String probedBreaker,
        boolean requested,
        @Nullable String action) {

    static DeadLetter letter(HandlerTask task) {
        return Objects.requireNonNull(task.letter(), "a replay attempt has letters");
    }

    boolean isRunning() {
        return tasks.stream().anyMatch(task -> task.state() == HandlerTask.State.RUNNING);
    }

    /** Returns whether its handlers are still to be called. */
    boolean isWaiting() {
        return tasks.get(0).state() == HandlerTask.State.WAITING;
    }

    /** Returns whether operators see its letters as entries, or have requested the replay. */
    boolean involvesOperator() {
        return requested || sequence.escalated();
    }

    /** Returns this attempt with its handled tasks restarted, up to the first failure. */
    ReplayAttempt restarted() {
        if (tasks.get(0).state() == HandlerTask.State.FAILED) {
            return this;
        }
        List<HandlerTask> before = tasks.stream()
                .takeWhile(task -> task.state() != HandlerTask.State.FAILED)
                .toList();
        tasks.forEach(task -> task.guarded().release()); // also of those behind the failure, which are dropped
        before.forEach(HandlerTask::restart);
        return first(before.size());
    }

    /** Returns an attempt with only the first letters. */
    ReplayAttempt first(int count) {
        DeadLetter behind = count < tasks.size() ? letter(tasks.get(count)) : next;
        return new ReplayAttempt(sequence, tasks.subList(0, count), behind, probedBreaker, requested, action);
    }

    /** Returns how many letters have been handled, from the first one on. */
    int handled() {
        int count = 0;
        while (count < tasks.size() && tasks.get(count).state() == HandlerTask.State.HANDLED) {
            count++;
        }
        return count;
    }

    /** Returns the task that failed behind the handled ones, if any. */
    @Nullable
    HandlerTask failed() {
        int handled = handled();
        boolean hasFailed = handled < tasks.size() && tasks.get(handled).state() == HandlerTask.State.FAILED;
        return hasFailed ? tasks.get(handled) : null;
    }

    /** Returns whether no handler failed. One whose event was recovered has failed. */
    boolean hasSucceeded() {
        return failed() == null && tasks.stream().allMatch(task -> task.finalFailure() == null);
    }

    /** Returns whether there is a result to commit. */
    boolean hasResult() {
        return handled() > 0 || failed() != null;
    }

    /** Returns the sequence, beginning with the first letter of this attempt in case those before it were removed. */
    ParkedSequence advancedToFirstLetter(ParkedSequence before) {
        DeadLetter first = letter(tasks.get(0));
        return first.number() == before.first()
                ? before
                : before.with(first.number(), before.last(), before.size(), first.enqueuedAt())
                        .withCauseOf(first);
    }

    /**
     * Returns the sequence without the first letters of this attempt. If the new first letter was parked meanwhile,
     * {@code now} is the latest time at which that can have happened. If it is behind a gap that was too large to read,
     * its number is higher than the one returned.
     */
    ParkedSequence shortened(ParkedSequence before, int gone, Instant now) {
        DeadLetter newFirst = gone < tasks.size() ? letter(tasks.get(gone)) : next;
        long number = newFirst == null ? numberBehind(letter(tasks.get(gone - 1))) : newFirst.number();
        Instant since = newFirst == null ? now : newFirst.enqueuedAt();
        ParkedSequence rest = before.shortened(number, before.size() - gone, since, now);
        return newFirst == null ? rest : rest.withCauseOf(newFirst);
    }

    /** Letters behind the last one may have been removed before. A letter that was parked meanwhile is behind them. */
    private long numberBehind(DeadLetter lastTried) {
        boolean hasReadAll = tasks.size() >= sequence.size();
        return 1 + (hasReadAll ? Math.max(sequence.last(), lastTried.number()) : lastTried.number());
    }
}
