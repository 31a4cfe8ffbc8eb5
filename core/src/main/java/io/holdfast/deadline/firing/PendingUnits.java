package io.holdfast.deadline.firing;

import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Committer;
import io.holdfast.commit.group.UnitOutcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The units that a due task has submitted and that are not completed yet, at most one per row. So the task never waits
 * for the committer. Not thread-safe.
 */
public final class PendingUnits {

    private final Committer committer;
    private final Runnable wake;
    private final Map<String, CompletableFuture<UnitOutcome>> pending = new LinkedHashMap<>();
    private final AtomicInteger running = new AtomicInteger();

    /** @param wake runs the task again; called when all units are completed, on any thread */
    public PendingUnits(Committer committer, Runnable wake) {
        this.committer = committer;
        this.wake = wake;
    }

    /** Submits a unit that changes a row. */
    public void submit(String rowKey, CommitUnit unit) {
        running.incrementAndGet();
        CompletableFuture<UnitOutcome> outcome = committer.submit(unit);
        pending.put(rowKey, outcome);
        CompletableFuture<UnitOutcome> unused = outcome.whenComplete((result, failure) -> wakeAfterLast());
    }

    /** One batch of the committer completes many units; one run of the task is enough for all of them. */
    private void wakeAfterLast() {
        if (running.decrementAndGet() == 0) {
            wake.run();
        }
    }

    public boolean contains(String rowKey) {
        return pending.containsKey(rowKey);
    }

    public boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Passes the results of the completed units on and forgets them. The receiver may submit new ones. */
    public void complete(Completion completion) {
        Map<String, CompletableFuture<UnitOutcome>> done = new LinkedHashMap<>(pending);
        done.values().removeIf(outcome -> !outcome.isDone());
        pending.keySet().removeAll(done.keySet());
        done.forEach((rowKey, outcome) -> completion.completed(rowKey, failure(outcome)));
    }

    private static @Nullable Throwable failure(CompletableFuture<UnitOutcome> outcome) {
        try {
            return outcome.join() instanceof UnitOutcome.PartsFailed failed
                    ? failed.failures().values().iterator().next()
                    : null;
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }

    /** Receives the result of a unit. */
    @FunctionalInterface
    public interface Completion {

        /** @param failure null if the unit was committed */
        void completed(String rowKey, @Nullable Throwable failure);
    }
}
