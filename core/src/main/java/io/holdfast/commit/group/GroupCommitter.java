package io.holdfast.commit.group;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.CommitterStatistics;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.failover.witness.LogWitness;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.view.View;
import io.holdfast.view.ViewStore;
import io.holdfast.worker.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: decides all waiting units and writes them in one transaction, so one flush to disk serves many
 * callers. While a batch is written, the next one accumulates.
 *
 * <p>A watchdog observes the batch in progress. If it does not finish within the stall timeout, its callers get an
 * unknown outcome. All others are refused until it has finished and the store responds. So no caller waits for a store
 * that hangs.
 *
 * <p>Runs on its own thread after {@link #start}. A test may call {@link #commitWaiting} instead.
 */
public final class GroupCommitter implements Committer, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(GroupCommitter.class);
    /** A fallback: every submission wakes the worker. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final String service;
    private final BlockingQueue<PendingUnit> queue;
    private final int maxBatch;
    private final CommitStore store;
    private final BatchDecider decider;
    private final BatchCommit batchCommit;
    private final TailRecovery tail;
    private final CommitterCounters counters;
    private final CommitterWatchdog watchdog;
    private final RowListeners rowListeners = new RowListeners();
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private @Nullable volatile Worker worker;
    private @Nullable volatile Worker watching;
    private volatile boolean closed;

    /** Creates a committer without metrics. */
    public GroupCommitter(
            CommitterSettings settings,
            CommitStore store,
            EventLog eventLog,
            AggregateStates states,
            ViewStore views,
            PayloadCodec codec,
            Clock clock) {
        this(
                settings,
                store,
                new TailRecovery(settings.service(), store, new LogWitness()),
                eventLog,
                states,
                views,
                codec,
                clock,
                new CompositeMeterRegistry());
    }

    /**
     * @param tail checks before every commit that the log has not lost its tail
     * @param metrics the registry for the duration of each commit
     */
    public GroupCommitter(
            CommitterSettings settings,
            CommitStore store,
            TailRecovery tail,
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
        this.store = store;
        this.watchdog = new CommitterWatchdog(service, settings.stallTimeout());
        this.decider = new BatchDecider(settings, states, codec, clock, tail.witness(), counters, rowListeners);
        this.tail = tail;
        tail.onLoss(decider::invalidateAll);
        this.batchCommit = new BatchCommit(store::open, decider, counters, tail, rowListeners, this::notifyIfAppended);
    }

    /** Starts the committer's thread and its watchdog. */
    public GroupCommitter start() {
        worker = Worker.start("holdfast-committer-" + service, this::step);
        watching = Worker.start("holdfast-watchdog-" + service, this::watch);
        return this;
    }

    private Duration step() {
        boolean mayCommit = !watchdog.isStalled() || probe();
        return mayCommit && commitWaiting() > 0 ? Duration.ZERO : POLL_INTERVAL;
    }

    /** Tests whether the store responds again, after a stalled batch has ended. */
    private boolean probe() {
        try (CommitSession session = store.open()) {
            session.lockHead();
            watchdog.recovered();
            log.info("The committer of {} continues", service);
            return true;
        } catch (HoldfastException e) {
            log.debug("The store of {} does not respond yet, retrying: {}", service, e.getMessage());
            return false;
        }
    }

    /**
     * Registers a listener. Right after each commit it receives the streams to which events were, or may have been,
     * committed; the set is empty if a caller's transaction may have written outbox entries only. It runs on the
     * committing thread and must be short.
     */
    public void onAppend(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    /**
     * Registers a listener for the rows of a view. Right after each commit of this process, and before callers get their
     * outcome, it receives every change, one per unit and row. It does not receive changes whose commit response was
     * lost, nor those of other replicas. It runs on the committing thread and must be short.
     */
    public <R> void onRows(View<R> view, Consumer<RowChange<R>> listener) {
        rowListeners.add(view, listener);
    }

    /** Sets the interceptor of all events that decisions append. Call it before {@link #start}. */
    public void intercept(AppendInterceptor interceptor) {
        decider.intercept(interceptor);
    }

    /** Sets the time to which decisions add the delays of deadlines; the committer's clock by default. */
    public void deadlineTime(Supplier<Instant> time) {
        decider.deadlineTime(time);
    }

    private void notifyIfAppended(Set<String> streams) {
        if (!streams.isEmpty()) {
            notifyListeners(streams);
        }
    }

    /** Logs the failure of a listener, because the commit cannot be undone. */
    private void notifyListeners(Set<String> streams) {
        for (Consumer<Set<String>> listener : listeners) {
            try {
                listener.accept(streams);
            } catch (RuntimeException e) {
                log.warn("An append listener failed for new events in {}: {}", streams, e.toString());
            }
        }
    }

    @Override
    public CompletableFuture<UnitOutcome> submit(CommitUnit unit) {
        CompletableFuture<UnitOutcome> outcome = new CompletableFuture<>();
        if (closed) {
            outcome.completeExceptionally(stopped());
        } else if (watchdog.isStalled()) {
            outcome.completeExceptionally(refused());
        } else if (!queue.offer(new PendingUnit(unit, outcome))) {
            outcome.completeExceptionally(new CommitterBusyException(queue.size()));
        } else if (closed) {
            failWaiting(stopped()); // close() may have run in between, and nothing would complete the unit
        } else {
            wake();
        }
        return outcome;
    }

    @Override
    public UnitOutcome commitIn(UnitTransaction transaction, CommitUnit unit) {
        CompletableFuture<UnitOutcome> outcome = new CompletableFuture<>();
        counters.accepted(1);
        // Repeatable: this transaction allows one attempt, so a duplicate must be found before it is written.
        new BatchCommit(
                        new SingleSessionSupplier(transaction),
                        decider,
                        counters,
                        tail,
                        rowListeners,
                        this::notifyListeners)
                .commit(List.of(new PendingUnit(unit, outcome).asRepeatable()));
        try {
            return outcome.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof HoldfastException failure ? failure : e;
        }
    }

    @Override
    public void checkMayBlock() {
        if (isCurrent(worker) || isCurrent(watching)) {
            throw new PermanentException(
                    "the committer of " + service + " cannot wait for itself: a decision must not execute"
                            + " commands, and a callback of an outcome must call submit, not execute");
        }
    }

    private static boolean isCurrent(@Nullable Worker running) {
        return running != null && running.isCurrentThread();
    }

    /**
     * Commits the waiting units, at most one batch. Not thread-safe.
     *
     * @return the number of units in the batch
     */
    public int commitWaiting() {
        List<PendingUnit> batch = new ArrayList<>();
        queue.drainTo(batch, maxBatch);
        if (batch.isEmpty()) {
            return 0;
        }
        counters.accepted(batch.size());
        watchdog.begin(batch);
        try {
            batchCommit.commit(batch);
        } catch (Error e) {
            die(batch, e);
            throw e;
        } finally {
            watchdog.end();
        }
        return batch.size();
    }

    /** Returns whether the committer's thread was started and has not ended, by {@link #close} or an error. */
    public boolean isRunning() {
        Worker running = worker;
        return running != null && !running.isTerminated();
    }

    @Override
    public Optional<String> problem() {
        return watchdog.problem();
    }

    /** Fails the units that would wait for a stalled batch. Those of the batch may still be committed later. */
    private Duration watch() {
        watchdog.check().ifPresent(this::failStalled);
        if (watchdog.isStalled()) {
            failWaiting(refused());
        }
        return watchdog.checkInterval();
    }

    private void failStalled(CommitterWatchdog.Batch batch) {
        Worker running = worker;
        log.error(
                "The committer of {} has not finished a batch of {} units within {}. Their outcome is unknown, and commands"
                        + " are refused until it continues. It is at:{}",
                service,
                batch.units().size(),
                batch.age(),
                running == null ? "" : running.stackTrace());
        OutcomeUnknownException unknown = new OutcomeUnknownException(
                "the committer of " + service + " stalled while it wrote this unit; it may still be committed", null);
        batch.units().forEach(pending -> pending.outcome().completeExceptionally(unknown));
    }

    public CommitterStatistics statistics() {
        return counters.read();
    }

    /** Commits the waiting units and rejects later ones. */
    @Override
    public void close() {
        closed = true;
        close(worker);
        close(watching);
        while (!queue.isEmpty()) {
            commitWaiting();
        }
    }

    private static void close(@Nullable Worker running) {
        if (running != null) {
            running.close();
        }
    }

    /** Stops the committer. The batch may or may not be durable, so its callers get an unknown outcome. */
    private void die(List<PendingUnit> batch, Error cause) {
        log.error("The committer of {} has died; the outcome of {} units is unknown", service, batch.size(), cause);
        closed = true;
        OutcomeUnknownException unknown =
                new OutcomeUnknownException("the committer of " + service + " died while it wrote this unit", cause);
        batch.forEach(pending -> pending.outcome().completeExceptionally(unknown));
        failWaiting(stopped());
    }

    private void failWaiting(RetryableException cause) {
        for (PendingUnit pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.outcome().completeExceptionally(cause);
        }
    }

    private RetryableException stopped() {
        return new RetryableException("the committer of " + service + " has stopped; nothing was committed");
    }

    private RetryableException refused() {
        return new RetryableException("the committer of " + service
                + " makes no progress; nothing was committed, retry later or at another replica");
    }

    private void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }
}
