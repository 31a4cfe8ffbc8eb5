package io.holdfast.action.execution;

import io.holdfast.NonRetryableException;
import io.holdfast.RetryableException;
import io.holdfast.UserFailures;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationHandler;
import io.holdfast.action.OperationHandler.Place;
import io.holdfast.action.Receipt;
import io.holdfast.action.StagedOperation;
import io.holdfast.action.Staging;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the staged operations of a service: on the replica that has staged them, or if that dies, on another one. The
 * transaction of an effect settles its item, so an operation takes effect at most once, whichever replicas run it. An
 * item that is still open afterwards is found again by a later poll.
 *
 * <p>Any thread may stage actions and wait for receipts; one thread calls {@link #step}.
 */
public final class OperationRunner {

    /** The time after which another replica runs an operation than the one that has staged it. */
    static final Duration TAKEOVER_DELAY = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger(OperationRunner.class);

    private final ActionStore store;
    private final OpenItems openItems;
    private final AwaitedReceipts receipts;
    private final MonotonicClock clock;
    private final String replica;
    private final Map<Kind, OperationHandler> handlers = new ConcurrentHashMap<>();
    private final Map<String, MonotonicTime> stagedHere = new ConcurrentHashMap<>();
    private final Queue<Finished> finished = new ConcurrentLinkedQueue<>();
    private final Map<OpenItem, Found> found = new HashMap<>();
    private final Set<OpenItem> running = new HashSet<>();
    private final Set<OpenItem> retried = new HashSet<>();
    private volatile @Nullable Worker worker;

    public OperationRunner(ActionStore store, OpenItems openItems, Clock clock, String replica) {
        this.store = store;
        this.openItems = openItems;
        this.clock = MonotonicClock.of(clock);
        this.receipts = new AwaitedReceipts(store, this.clock);
        this.replica = replica;
    }

    /** @param since when this replica has found the item for the first time */
    private record Found(StagedOperation operation, MonotonicTime since) {}

    private record Finished(OpenItem item, @Nullable OperationEffect effect, @Nullable Throwable failure) {}

    /**
     * Sets the handler of a kind, and replaces an earlier one. Without a handler, other replicas run the operations of this
     * kind.
     */
    public void register(Kind kind, OperationHandler handler) {
        handlers.put(kind, handler);
    }

    public Worker start(String service) {
        Worker started = Worker.start("holdfast-operations-" + service, this::step);
        worker = started;
        started.wake(); // earlier wake-ups found no worker
        return started;
    }

    /** Stages an action, and runs its operations soon. Idempotent by the action's id. */
    public Staging stage(Action action) {
        stagedHere.put(action.id(), clock.time());
        Staging staging = store.stage(action);
        openItems.requestPoll();
        wake();
        return staging;
    }

    /**
     * Returns the receipt when the action completes, or its current state after the timeout. Fails with a
     * {@link RetryableException} if the store has no such action.
     */
    public CompletableFuture<Receipt> await(String action, Duration timeout) {
        CompletableFuture<Receipt> done = new CompletableFuture<>();
        receipts.add(action, timeout, receipt -> complete(done, action, receipt));
        wake();
        return done;
    }

    /** Callbacks must not run on the thread of the runner. */
    private static void complete(CompletableFuture<Receipt> done, String action, Optional<Receipt> receipt) {
        var unused = done.completeAsync(() -> receipt.orElseThrow(() -> AwaitedReceipts.lost(action)));
    }

    private void wake() {
        Worker started = worker;
        if (started != null) {
            started.wake();
        }
    }

    /**
     * Runs what was staged, and settles what has finished.
     *
     * @return the maximum time to wait before the next step
     */
    public Duration step() {
        try {
            settleFinished();
            openItems.pollOperations().ifPresent(this::runAll);
            settleFinished();
        } catch (RetryableException e) {
            log.debug("The store is unavailable, operations run later", e);
        }
        return receipts.step(IDLE);
    }

    private void runAll(List<OpenItem> items) {
        MonotonicTime now = clock.time();
        stagedHere.values().removeIf(since -> isOver(since, now));
        found.keySet().retainAll(items);
        retried.retainAll(items);
        addFound(items, now);
        List<OpenItem> startable = items.stream()
                .filter(item -> !item.isExpired() && !running.contains(item))
                .filter(item -> isRunHere(found.get(item), now))
                .toList();
        store.retainOpen(startable).forEach(this::run); // another replica may have run them since the poll
    }

    private static boolean isOver(MonotonicTime since, MonotonicTime now) {
        return !now.isBefore(since.plus(TAKEOVER_DELAY));
    }

    private void addFound(List<OpenItem> items, MonotonicTime now) {
        List<OpenItem> added =
                items.stream().filter(item -> !found.containsKey(item)).toList();
        if (added.isEmpty()) {
            return;
        }
        Map<String, Receipt> actions = new HashMap<>();
        store.find(added.stream().map(OpenItem::action).distinct().toList())
                .forEach(receipt -> actions.put(receipt.action(), receipt));
        for (OpenItem item : added) {
            Receipt receipt = actions.get(item.action());
            if (receipt != null) {
                found.put(item, new Found(StagedOperation.of(receipt, item, replica), now));
            }
        }
    }

    private boolean isRunHere(@Nullable Found item, MonotonicTime now) {
        OperationHandler handler =
                item == null ? null : handlers.get(item.operation().kind());
        if (item == null || handler == null) {
            return false;
        }
        Place place = place(handler, item.operation());
        return place == Place.HERE
                || (place == Place.ANYWHERE
                        && (stagedHere.containsKey(item.operation().action()) || isOver(item.since(), now)));
    }

    private static Place place(OperationHandler handler, StagedOperation operation) {
        try {
            return handler.place(operation);
        } catch (RuntimeException e) {
            log.error("The handler of {} did not report where it runs {}", operation.kind(), operation.item(), e);
            return Place.ANYWHERE; // the handler is likely to refuse it
        }
    }

    private void run(OpenItem item) {
        StagedOperation operation =
                Objects.requireNonNull(found.get(item), "only found items run").operation();
        OperationHandler handler = Objects.requireNonNull(handlers.get(operation.kind()), "handlers are not removed");
        running.add(item);
        try {
            var unused = handler.run(operation).whenComplete((effect, failure) -> {
                finished.add(new Finished(item, effect, failure));
                wake();
            });
        } catch (Throwable e) {
            finished.add(new Finished(item, null, UserFailures.throwIfFatal(e)));
        }
    }

    private void settleFinished() {
        for (Finished next = finished.peek(); next != null; next = finished.peek()) {
            settle(next); // if the store is unavailable, later
            finished.remove();
            running.remove(next.item());
            receipts.requestPoll();
        }
    }

    private void settle(Finished run) {
        Throwable failure = run.failure() instanceof CompletionException wrapper && wrapper.getCause() != null
                ? wrapper.getCause()
                : run.failure();
        if (failure != null) {
            settleFailed(run.item(), failure);
        } else if (run.effect() == null) {
            settleFailed(run.item(), new IllegalStateException("its handler has returned no effect"));
        } else if (run.effect().settledBy() == OperationEffect.SettledBy.RUNNER) {
            settle(run.item(), Outcome.APPLIED, run.effect().detail());
        }
    }

    private void settleFailed(OpenItem item, Throwable failure) {
        if (failure instanceof AlreadySettledException) {
            log.debug("{}: {}", item.item(), failure.getMessage());
        } else if (failure instanceof RetryableException) {
            reportRetry(item, failure);
        } else if (failure instanceof NonRetryableException) {
            settle(item, Outcome.REFUSED, failure.getMessage());
        } else {
            log.error("Operation {} of action {} failed unexpectedly", item.item(), item.action(), failure);
            settle(item, Outcome.REFUSED, "failed unexpectedly, see the log of " + replica + ": " + failure);
        }
    }

    /** Reports an operation once, not at every poll. */
    private void reportRetry(OpenItem item, Throwable failure) {
        if (retried.add(item)) {
            log.warn(
                    "Operation {} of action {} failed and is retried every second until it expires: {}",
                    item.item(),
                    item.action(),
                    failure.getMessage());
        }
    }

    private void settle(OpenItem item, Outcome outcome, @Nullable String detail) {
        store.settle(List.of(item), outcome, detail, replica);
    }
}
