package io.holdfast.processing.segment;

import io.holdfast.HoldfastException;
import io.holdfast.UserFailures;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.UnitTransaction;

/**
 * Calls handlers in a transaction that also commits their unit. Runs on a pool thread, and the coordinator does not
 * step the segment until it ends.
 */
final class HandlerTransactions {

    private final ProcessorContext context;
    private final SegmentCommits commits;
    private final LostTransactions lostTransactions;

    HandlerTransactions(ProcessorContext context, SegmentCommits commits, LostTransactions lostTransactions) {
        this.context = context;
        this.commits = commits;
        this.lostTransactions = lostTransactions;
    }

    void call(HandlerRun run) {
        commits.prepareTransaction();
        try (UnitTransaction rows = context.stores().transactions().begin()) {
            run.callAll(rows);
            run.tasks().forEach(HandlerTask::refreshState);
            commits.commitIn(rows);
        } catch (TransactionLostException e) {
            run.tasks().forEach(HandlerTask::refreshState);
            recordLoss(run, e);
        } catch (OutcomeUnknownException e) {
            recordUnknownOutcome(run, e);
        } catch (Throwable e) {
            commits.failed(e); // whatever the cause, the rows are rolled back
            UserFailures.throwIfFatal(e);
        }
    }

    private void recordLoss(HandlerRun run, TransactionLostException loss) {
        if (!isDatabaseWorking()) {
            commits.failed(loss);
        } else {
            boolean isAtFault = lostTransactions.lost(run.tasks());
            commits.lost(new TransactionLoss(loss, isAtFault ? run.tasks().get(0) : null));
        }
    }

    /**
     * The stored token tells whether the unit was committed, so the segment starts over, unless this happens to the
     * same event again and again. Its letter is then written with the token of the unit: if that was committed after
     * all, the letter is rejected.
     */
    private void recordUnknownOutcome(HandlerRun run, OutcomeUnknownException e) {
        if (isDatabaseWorking() && lostTransactions.lost(run.tasks())) {
            HandlerTask task = run.tasks().get(0);
            commits.lost(new TransactionLoss(new TransactionLostException(task, e), task));
        } else {
            commits.failed(e);
        }
    }

    /** Returns whether another transaction works. If not, the loss says nothing about the event. */
    private boolean isDatabaseWorking() {
        try (UnitTransaction probe = context.stores().transactions().begin()) {
            probe.savepoint();
            return true;
        } catch (HoldfastException e) {
            return false;
        }
    }
}
