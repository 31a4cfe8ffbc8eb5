package io.holdfast.admin.receipt;

import io.holdfast.RetryableException;
import io.holdfast.action.ActionStore;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.processing.EventProcessor;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads receipts, and waits until they are done. Thread-safe. */
final class ReceiptReader {

    static final int ITEMS_PER_PAGE = 100;

    /** Between two reads of a receipt that no processor of this replica watches. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** How much longer than the timeout to wait for a processor, which may not be running. */
    private static final Duration MARGIN = Duration.ofMillis(300);

    private final HoldfastService service;
    private final ActionStore store;
    private final Executor threads;

    ReceiptReader(HoldfastService service, Executor threads) {
        this.service = service;
        this.store = service.actions();
        this.threads = threads;
    }

    Optional<Receipt> find(String action) {
        return store.find(List.of(action)).stream().findFirst();
    }

    /** Returns the receipt when the action completes, or its current state after the timeout; empty if it is unknown. */
    CompletableFuture<Optional<Receipt>> await(String action, Duration timeout) {
        Receipt receipt = find(action).orElse(null);
        if (receipt == null || receipt.isDone() || timeout.isZero()) {
            return CompletableFuture.completedFuture(Optional.ofNullable(receipt));
        }
        return watcher(action)
                .map(processor -> watch(processor, action, timeout))
                .orElseGet(() -> poll(action, timeout));
    }

    private Optional<EventProcessor> watcher(String action) {
        return store.findItems(action, 0, 1).stream()
                .findFirst()
                .flatMap(first -> first.item() instanceof LetterItem letter
                        ? Optional.ofNullable(service.processors().get(letter.consumer()))
                        : Optional.empty());
    }

    private CompletableFuture<Optional<Receipt>> watch(EventProcessor processor, String action, Duration timeout) {
        return processor
                .awaitReceipt(action, timeout)
                .orTimeout(timeout.plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS)
                .handle((receipt, failure) -> receipt)
                .thenApplyAsync(receipt -> receipt == null ? find(action) : Optional.of(receipt), threads);
    }

    private CompletableFuture<Optional<Receipt>> poll(String action, Duration timeout) {
        Duration wait = timeout.compareTo(POLL_INTERVAL) < 0 ? timeout : POLL_INTERVAL;
        Executor later = CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS, threads);
        return CompletableFuture.supplyAsync(() -> find(action), later)
                .thenCompose(
                        receipt -> receipt.filter(found -> !found.isDone()).isPresent() && timeout.compareTo(wait) > 0
                                ? poll(action, timeout.minus(wait))
                                : CompletableFuture.completedFuture(receipt));
    }

    ReceiptDetails details(Receipt receipt, int fromItem) {
        List<Receipt.Item> items = store.findItems(receipt.action(), fromItem, ITEMS_PER_PAGE);
        return ReceiptDetailsMapping.of(service.name(), receipt, items);
    }

    Receipt require(String action, @Nullable Receipt found) {
        if (found == null) {
            throw new RetryableException("the store has no action " + action
                    + ": a failover has lost it; repeat the request with the same Idempotency-Key");
        }
        return found;
    }
}
