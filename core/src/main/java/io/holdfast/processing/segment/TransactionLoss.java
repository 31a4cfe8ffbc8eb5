package io.holdfast.processing.segment;

import io.holdfast.RetryableException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that the database ended, while another one works. Nothing of it was committed.
 *
 * @param atFault the task at fault; null if that is not known
 */
record TransactionLoss(TransactionLostException cause, @Nullable HandlerTask atFault) {

    /** Handles the events again whose rows were rolled back. An event that is at fault fails instead. */
    void rollBack(SegmentBacklog backlog, SegmentReplayAttempts replayAttempts) {
        HandlerTask noticedAt = cause.task();
        if (noticedAt != null) {
            noticedAt.restart();
        }
        backlog.openTasks().stream()
                .filter(task -> task.state() == HandlerTask.State.HANDLED && task.writesApplicationRows())
                .forEach(HandlerTask::restart);
        replayAttempts.restartRolledBack();
        if (atFault != null) {
            atFault.failed(new RetryableException(
                    "its handler lost the database transaction " + LostTransactions.MAX_LOSSES
                            + " times in a row or more, each time alone in it, while other transactions worked",
                    cause.getCause()));
        }
    }
}
