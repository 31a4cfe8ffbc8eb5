package io.holdfast.action.execution;

import io.holdfast.RetryableException;
import io.holdfast.action.ActionStore;
import io.holdfast.action.Receipt;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Waits until actions are done, wherever they run: reads the receipts when something was settled here, and otherwise at
 * an interval. Any thread may add one; one thread advances them.
 */
public final class AwaitedReceipts {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final ActionStore store;
    private final MonotonicClock clock;
    private final Queue<Awaited> added = new ConcurrentLinkedQueue<>();
    private final List<Awaited> awaited = new ArrayList<>();
    private MonotonicTime pollAt = MonotonicTime.MIN;

    public AwaitedReceipts(ActionStore store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
    }

    private record Awaited(String action, MonotonicTime until, Consumer<Optional<Receipt>> listener) {}

    /**
     * Waits for an action.
     *
     * @param listener gets the receipt once the action is done, or as it is after the timeout; empty if the store has lost
     *     the action in a failover. Must not block
     */
    public void add(String action, Duration timeout, Consumer<Optional<Receipt>> listener) {
        added.add(new Awaited(action, clock.time().plus(timeout), listener));
    }

    /** Reads the receipts in the next step. */
    public void requestPoll() {
        pollAt = MonotonicTime.MIN;
    }

    /** @return the maximum time to wait before the next step */
    public Duration step(Duration idle) {
        accept();
        if (awaited.isEmpty()) {
            return idle;
        }
        if (!clock.time().isBefore(pollAt)) {
            pollAt = clock.time().plus(POLL_INTERVAL);
            poll();
        }
        return POLL_INTERVAL;
    }

    private void accept() {
        for (Awaited next = added.poll(); next != null; next = added.poll()) {
            awaited.add(next);
            pollAt = MonotonicTime.MIN;
        }
    }

    private void poll() {
        Map<String, Receipt> receipts;
        try {
            receipts = store.find(awaited.stream().map(Awaited::action).collect(Collectors.toSet())).stream()
                    .collect(Collectors.toMap(Receipt::action, receipt -> receipt));
        } catch (RetryableException e) {
            return;
        }
        for (Awaited each : List.copyOf(awaited)) {
            Optional<Receipt> receipt = Optional.ofNullable(receipts.get(each.action()));
            boolean isTimedOut = !clock.time().isBefore(each.until());
            if (isTimedOut || receipt.filter(found -> !found.isDone()).isEmpty()) {
                awaited.remove(each);
                each.listener().accept(receipt);
            }
        }
    }

    /** Returns the failure to report for an action that the store does not have. */
    public static RetryableException lost(String action) {
        return new RetryableException("the store has no action " + action
                + ": it was never staged, or a failover has lost it; repeat the request");
    }
}
