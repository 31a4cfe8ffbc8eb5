package io.holdfast.processing.segment;

import io.holdfast.commit.group.PartId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out which event of a segment loses the transactions in which it is handled. The transaction of several events
 * may be lost because of any of them, or because they took too long together. So its events are handled again one at a
 * time. An event that keeps losing a transaction of its own, while the database works, is at fault.
 *
 * <p>A replica remembers this while it loses and claims the segment again, but not across a restart. Not thread-safe;
 * used by one thread at a time.
 */
final class LostTransactions {

    /** How often in a row an event must lose a transaction of its own. Less often may be a coincidence. */
    static final int MAX_LOSSES = 3;

    /** An entry remains if a parked event is discarded, so the oldest ones are dropped. */
    private static final int MAX_SUSPECTS = 1_000;

    private final Map<PartId, Integer> losses = new LinkedHashMap<>();
    private int alone;

    /** Returns those of the next tasks that may share a transaction, from the first one on. */
    List<HandlerTask> select(List<HandlerTask> tasks) {
        int count = 0;
        while (count < tasks.size() && !runsAlone(tasks.get(count))) {
            count++;
        }
        if (count == 0) {
            alone = Math.max(0, alone - 1);
            return tasks.subList(0, 1);
        }
        return tasks.subList(0, count);
    }

    private boolean runsAlone(HandlerTask task) {
        return task.writesApplicationRows() && (alone > 0 || losses.containsKey(task.partId()));
    }

    /**
     * Records that the transaction of these tasks was lost, although the database works.
     *
     * @return whether the event is at fault, which is known only if it was handled alone
     */
    boolean lost(List<HandlerTask> tasks) {
        if (tasks.size() > 1) {
            alone = tasks.size();
            return false;
        }
        PartId id = tasks.get(0).partId();
        boolean isAtFault = losses.merge(id, 1, Integer::sum) >= MAX_LOSSES;
        if (losses.size() > MAX_SUSPECTS) {
            losses.remove(losses.keySet().iterator().next());
        }
        return isAtFault;
    }

    /** Records that an event was handled and committed. */
    void committed(HandlerTask task) {
        losses.remove(task.partId());
    }

    boolean isEmpty() {
        return losses.isEmpty();
    }
}
