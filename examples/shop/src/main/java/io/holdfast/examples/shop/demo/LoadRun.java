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
 * Places orders, at a rate or as fast as some clients get their answers. What is not answered, or refused because the service
 * is busy or starting, is asked for again with the same {@code Idempotency-Key}, as a good client does.
 */
final class LoadRun implements AutoCloseable {

    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    /** So long after the last order was begun all must have been answered. */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMinutes(1);

    private final ShopClient shop;
    private final LoadProducts products;
    private final String runId;
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    private final Collection<LoadOrder> accepted = new ConcurrentLinkedQueue<>();
    private final Collection<String> rejected = new ConcurrentLinkedQueue<>();
    private final AtomicInteger submitted = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder serverErrors = new LongAdder();
    private final Instant startedAt = Instant.now();
    private volatile Instant giveUpAt = Instant.MAX;

    LoadRun(ShopClient shop, LoadProducts products, String run) {
        this.shop = shop;
        this.products = products;
        this.runId = run;
    }

    /** Begins orders at a rate, for a time. */
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

    /** Lets clients order, each its next one when the one before is answered. */
    void runWithClients(int clients, int seconds, Runnable everySecond) throws InterruptedException {
        Instant end = Instant.now().plusSeconds(seconds);
        for (int i = 0; i < clients; i++) {
            placeOrdersUntil(end);
        }
        waitSeconds(seconds, everySecond);
        awaitResponses(everySecond);
    }

    private void placeOrdersUntil(Instant end) {
        if (Instant.now().isBefore(end)) {
            var unused = placeNext().whenComplete((done, failure) -> placeOrdersUntil(end));
        }
    }

    private CompletableFuture<?> placeNext() {
        int number = submitted.getAndIncrement();
        LoadProducts.PlannedOrder wanted = products.planOrder(number);
        inFlight.incrementAndGet();
        return placeOrder(wanted, "load-" + runId + "-" + number, 1)
                .whenComplete((order, failure) -> inFlight.decrementAndGet());
    }

    private CompletableFuture<?> placeOrder(LoadProducts.PlannedOrder wanted, String key, int tries) {
        long asked = System.nanoTime();
        return shop.placeOrder(key, wanted.customer(), wanted.lines())
                .handle((answer, failure) -> {
                    Duration took = Duration.ofNanos(System.nanoTime() - asked);
                    return needsRetry(wanted, answer, took, tries);
                })
                .thenCompose(again -> again
                        ? retryDelay().thenCompose(now -> placeOrder(wanted, key, tries + 1))
                        : CompletableFuture.completedFuture(null));
    }

    /** @param answer null if nobody has answered */
    private boolean needsRetry(
            LoadProducts.PlannedOrder wanted, @Nullable ShopResponse answer, Duration took, int tries) {
        if (answer != null && answer.status() == 201) {
            accepted.add(new LoadOrder(wanted, answer.text("orderId"), took, tries));
            return false;
        }
        String said = answer == null ? "never answered" : answer.status() + " " + answer.body();
        if (answer != null && answer.status() < 500) {
            rejected.add(said);
            return false;
        }
        (answer == null ? unanswered : serverErrors).increment();
        if (Instant.now().isAfter(giveUpAt)) {
            rejected.add(said);
            return false;
        }
        return true;
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
                throw new UnexpectedOutcomeException(inFlight.get() + " orders were neither accepted nor refused");
            }
        }
        everySecond.run();
    }

    Collection<LoadOrder> accepted() {
        return accepted;
    }

    /** What was answered by something else than an order. */
    Collection<String> rejected() {
        return rejected;
    }

    /** How often nobody answered. */
    long unanswered() {
        return unanswered.sum();
    }

    /** How often the answer was that the service is at fault, or busy. */
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
