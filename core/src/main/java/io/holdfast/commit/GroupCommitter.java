package io.holdfast.commit;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.view.ViewStore;
import io.holdfast.worker.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committer that decides: takes all units that wait and commits them together, so that one flush to disk serves many
 * callers. While one batch is being written the next one gathers.
 *
 * <p>Runs on a thread of its own once {@link #start started}; a test may call {@link #commitWaiting} instead.
 */
public final class GroupCommitter implements Committer, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(GroupCommitter.class);
    /** Only a safety net: every submission wakes the worker. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final String service;
    private final BlockingQueue<PendingUnit> queue;
    private final int maxBatch;
    private final AggregateStates states;
    private final BatchDecider decider;
    private final BatchCommit batchCommit;
    private final CommitterCounters counters;
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private @Nullable volatile Worker worker;
    private volatile boolean closed;

    /** One that measures nothing. */
    public GroupCommitter(
            CommitterSettings settings,
            CommitStore store,
            EventLog eventLog,
            AggregateStates states,
            ViewStore views,
            PayloadCodec codec,
            Clock clock) {
        this(settings, store, eventLog, states, views, codec, clock, new CompositeMeterRegistry());
    }

    /** @param metrics is told how long the log takes for each commit */
    public GroupCommitter(
            CommitterSettings settings,
            CommitStore store,
            EventLog eventLog,
            AggregateStates states,
            ViewStore views,
            PayloadCodec codec,
            Clock clock,
            MeterRegistry metrics) {
        this.counters = new CommitterCounters(metrics);
        this.service = settings.service();
        this.queue = new ArrayBlockingQueue<>(settings.queueCapacity());
        this.maxBatch = settings.maxBatch();
        this.states = states;
        this.decider = new BatchDecider(settings, eventLog, states, views, codec, clock, counters);
        this.batchCommit = new BatchCommit(store::open, decider, states, counters, this::notifyIfAppended);
    }

    /** Starts the committer's thread. */
    public GroupCommitter start() {
        worker = Worker.start(
                "holdfast-committer-" + service, () -> commitWaiting() > 0 ? Duration.ZERO : POLL_INTERVAL);
        return this;
    }

    /**
     * Tells the streams to which events were committed, or may have been, right after it: none if a caller's transaction was
     * committed that may have written to the outbox only. Short, on the thread that commits.
     */
    public void onAppend(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    private void notifyIfAppended(Set<String> streams) {
        if (!streams.isEmpty()) {
            notifyListeners(streams);
        }
    }

    /** What is committed is committed, whatever a listener makes of it. */
    private void notifyListeners(Set<String> streams) {
        for (Consumer<Set<String>> listener : listeners) {
            try {
                listener.accept(streams);
            } catch (RuntimeException e) {
                log.warn("Somebody who was told of new events in {} failed: {}", streams, e.toString());
            }
        }
    }

    @Override
    public CompletableFuture<UnitOutcome> submit(CommitUnit unit) {
        CompletableFuture<UnitOutcome> answer = new CompletableFuture<>();
        if (closed) {
            answer.completeExceptionally(stopped());
        } else if (!queue.offer(new PendingUnit(unit, answer))) {
            answer.completeExceptionally(new CommitterBusyException(queue.size()));
        } else if (closed) {
            failWaiting(); // it may have been closed in between, and nobody would answer
        } else {
            wake();
        }
        return answer;
    }

    @Override
    public UnitOutcome commitIn(UnitTransaction transaction, CommitUnit unit) {
        CompletableFuture<UnitOutcome> answer = new CompletableFuture<>();
        counters.accepted(1);
        new BatchCommit(new SingleSessionSupplier(transaction), decider, states, counters, this::notifyListeners)
                .commitUnderLock(new PendingUnit(unit, answer));
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof HoldfastException failure ? failure : e;
        }
    }

    @Override
    public void checkMayBlock() {
        Worker running = worker;
        if (running != null && running.isCurrentThread()) {
            throw new PermanentException(
                    "the committer of " + service + " cannot wait for itself: a decision must not carry"
                            + " out commands, and what is chained to an answer must submit, not execute");
        }
    }

    /**
     * Commits what waits, at most one batch. For one thread at a time.
     *
     * @return how many units were taken
     */
    public int commitWaiting() {
        List<PendingUnit> batch = new ArrayList<>();
        queue.drainTo(batch, maxBatch);
        if (batch.isEmpty()) {
            return 0;
        }
        counters.accepted(batch.size());
        try {
            batchCommit.commit(batch);
        } catch (Error e) {
            die(batch, e);
            throw e;
        }
        return batch.size();
    }

    /** Whether its thread was started and has not ended, by being closed or by an error. */
    public boolean isRunning() {
        Worker running = worker;
        return running != null && !running.isTerminated();
    }

    public CommitterStatistics statistics() {
        return counters.read();
    }

    /** Commits what waits, then refuses what comes. */
    @Override
    public void close() {
        closed = true;
        Worker running = worker;
        if (running != null) {
            running.close();
        }
        while (!queue.isEmpty()) {
            commitWaiting();
        }
    }

    /** What was being written may or may not be durable; nobody is told that it is. */
    private void die(List<PendingUnit> batch, Error cause) {
        log.error("The committer of {} has died; {} units are without an answer", service, batch.size(), cause);
        closed = true;
        OutcomeUnknownException unknown =
                new OutcomeUnknownException("the committer of " + service + " died while it wrote this unit", cause);
        batch.forEach(pending -> pending.outcome().completeExceptionally(unknown));
        failWaiting();
    }

    private void failWaiting() {
        for (PendingUnit pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.outcome().completeExceptionally(stopped());
        }
    }

    private RetryableException stopped() {
        return new RetryableException("the committer of " + service + " has stopped; nothing was done");
    }

    private void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }
}
