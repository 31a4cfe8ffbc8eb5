package io.holdfast.examples.shop.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Places orders, at a fixed rate or with a fixed number of clients. A request without a response or with a 5xx status,
 * because the service is busy or starting, is retried with the same {@code Idempotency-Key}, as a well-behaved client
 * does.
 */
final class LoadRun implements AutoCloseable {

    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    /** How long after the last order was submitted requests are still retried. */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMinutes(1);

    /** Has no factor in common with 100 and mixes the flows among all kinds of orders. */
    private static final int SHUFFLE = 37;

    private final ShopClient shop;
    private final LoadProducts products;
    private final String runId;
    private final int orchestratedPercent;
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    private final Collection<LoadOrder> accepted = new ConcurrentLinkedQueue<>();
    private final Collection<String> rejected = new ConcurrentLinkedQueue<>();
    private final AtomicInteger submitted = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder serverErrors = new LongAdder();
    private final Instant startedAt = Instant.now();
    private volatile Instant giveUpAt = Instant.MAX;

    /** @param orchestratedPercent the share of orders that are placed by orchestration */
    LoadRun(ShopClient shop, LoadProducts products, String runId, int orchestratedPercent) {
        this.shop = shop;
        this.products = products;
        this.runId = runId;
        this.orchestratedPercent = orchestratedPercent;
    }

    /** Submits orders at a fixed rate, whether or not earlier ones have a response. */
    void runAtRate(int perSecond, int seconds, Runnable everySecond) throws InterruptedException {
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        var orders = scheduler.scheduleAtFixedRate(
                () -> {
                    var unused = placeNext();
                },
                0,
                interval,
                TimeUnit.NANOSECONDS);
        waitSeconds(seconds, everySecond);
        orders.cancel(false);
        awaitResponses(everySecond);
    }

    /** Places orders with a number of clients. Each submits its next order when the previous one has a response. */
    void runWithClients(int clients, int seconds, Runnable everySecond) throws InterruptedException {
        Instant deadline = Instant.now().plusSeconds(seconds);
        for (int i = 0; i < clients; i++) {
            placeOrdersUntil(deadline);
        }
        waitSeconds(seconds, everySecond);
        awaitResponses(everySecond);
    }

    private void placeOrdersUntil(Instant deadline) {
        if (Instant.now().isBefore(deadline)) {
            var unused = placeNext().whenComplete((done, failure) -> placeOrdersUntil(deadline));
        }
    }

    private CompletableFuture<?> placeNext() {
        int number = submitted.getAndIncrement();
        LoadProducts.PlannedOrder planned = products.planOrder(number);
        inFlight.incrementAndGet();
        boolean orchestrated = (long) number * SHUFFLE % 100 < orchestratedPercent;
        return placeOrder(planned, orchestrated, "load-" + runId + "-" + number, 1)
                .whenComplete((order, failure) -> inFlight.decrementAndGet());
    }

    private CompletableFuture<?> placeOrder(
            LoadProducts.PlannedOrder planned, boolean orchestrated, String key, int attempt) {
        long sentAt = System.nanoTime();
        CompletableFuture<ShopResponse> placed = orchestrated
                ? shop.placeOrchestratedOrder(key, planned.customer(), planned.lines())
                : shop.placeOrder(key, planned.customer(), planned.lines());
        return placed.handle((response, failure) -> {
                    Duration elapsed = Duration.ofNanos(System.nanoTime() - sentAt);
                    return needsRetry(planned, response, elapsed, attempt);
                })
                .thenCompose(retry -> retry
                        ? retryDelay().thenCompose(now -> placeOrder(planned, orchestrated, key, attempt + 1))
                        : CompletableFuture.completedFuture(null));
    }

    /** @param response null if there was no response */
    private boolean needsRetry(
            LoadProducts.PlannedOrder planned, @Nullable ShopResponse response, Duration elapsed, int attempt) {
        if (response != null && isAccepted(response)) {
            accepted.add(new LoadOrder(planned, response.text("orderId"), elapsed, attempt));
            return false;
        }
        String outcome = response == null ? "no response" : response.status() + " " + response.body();
        if (response != null && response.status() < 500) {
            rejected.add(outcome);
            return false;
        }
        (response == null ? unanswered : serverErrors).increment();
        if (Instant.now().isAfter(giveUpAt)) {
            rejected.add(outcome);
            return false;
        }
        return true;
    }

    /** An order that was placed by orchestration may have ended as cancelled, or still be open. */
    private static boolean isAccepted(ShopResponse response) {
        boolean isOrder = response.body().has("orderId");
        return response.status() == 201 || (isOrder && (response.status() == 202 || response.status() == 409));
    }

    private CompletableFuture<?> retryDelay() {
        CompletableFuture<?> due = new CompletableFuture<>();
        var unused = scheduler.schedule(() -> due.complete(null), RETRY_DELAY.toMillis(), TimeUnit.MILLISECONDS);
        return due;
    }

    private static void waitSeconds(int seconds, Runnable everySecond) throws InterruptedException {
        for (int i = 0; i < seconds; i++) {
            TimeUnit.SECONDS.sleep(1);
            everySecond.run();
        }
    }

    private void awaitResponses(Runnable everySecond) throws InterruptedException {
        giveUpAt = Instant.now().plus(RESPONSE_TIMEOUT);
        while (inFlight.get() > 0) {
            TimeUnit.MILLISECONDS.sleep(100);
            if (Instant.now().isAfter(giveUpAt.plusSeconds(30))) {
                throw new UnexpectedOutcomeException(
                        inFlight.get() + " orders were neither accepted nor rejected in time");
            }
        }
        everySecond.run();
    }

    Collection<LoadOrder> accepted() {
        return accepted;
    }

    /**
     * Returns the responses without an order that are not retried, and the last failures of requests that were given up.
     */
    Collection<String> rejected() {
        return rejected;
    }

    /** Returns the number of attempts that got no response. */
    long unanswered() {
        return unanswered.sum();
    }

    /** Returns the number of attempts that got a 5xx response. */
    long serverErrors() {
        return serverErrors.sum();
    }

    int submitted() {
        return submitted.get();
    }

    Instant startedAt() {
        return startedAt;
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
