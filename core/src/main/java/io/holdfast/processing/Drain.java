package io.holdfast.processing;

import io.holdfast.deadletter.ParkedSequence;
import java.util.List;

/**
 * A try to handle parked letters again: the first ones of one sequence, in order, as far as it goes.
 *
 * @param sequence as it was when the try began
 * @param tasks one for each letter
 */
record Drain(ParkedSequence sequence, List<HandlerTask> tasks) {

    boolean isRunning() {
        return tasks.stream().anyMatch(task -> task.state() == HandlerTask.State.RUNNING);
    }

    /** Whether its handlers are to be called. */
    boolean isWaiting() {
        return tasks.get(0).state() == HandlerTask.State.WAITING;
    }

    /** The same, where what was handled has to be handled again; without what comes after a failure. */
    Drain again() {
        if (tasks.get(0).state() == HandlerTask.State.FAILED) {
            return this;
        }
        List<HandlerTask> before = tasks.stream()
                .takeWhile(task -> task.state() != HandlerTask.State.FAILED)
                .toList();
        before.forEach(HandlerTask::startAgain);
        return new Drain(sequence, before);
    }

    /** How many letters have been handled, from the head on. */
    int handled() {
        int count = 0;
        while (count < tasks.size() && tasks.get(count).state() == HandlerTask.State.HANDLED) {
            count++;
        }
        return count;
    }

    /** Whether there is anything to store of it. */
    boolean hasResult() {
        return handled() > 0 || tasks.get(0).state() == HandlerTask.State.FAILED;
    }
}
