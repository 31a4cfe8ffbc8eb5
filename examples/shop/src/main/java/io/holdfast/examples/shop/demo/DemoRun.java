package io.holdfast.examples.shop.demo;

import io.holdfast.commit.CommitterStatistics;
import io.holdfast.event.StreamPosition;
import io.holdfast.examples.shop.order.CustomerOrders;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.processing.EventProcessor;
import io.holdfast.service.HoldfastService;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One run of the demo on a running shop, from the first order to the verdict. */
final class DemoRun {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long LOOK_EVERY_MILLIS = 50;

    private final Shop shop;
    private final ShoppingPlan plan;
    private final PrintStream out;
    private final Progress progress;
    private final Duration patience;
    private final Settlement settlement;
    private final Callers callers;

    /** @param patience how long nothing may happen before it gives up */
    DemoRun(Shop shop, ShoppingPlan plan, PrintStream out, boolean terminal, Duration patience) {
        this.shop = shop;
        this.plan = plan;
        this.out = out;
        this.progress = new Progress(out, terminal);
        this.patience = patience;
        this.settlement = new Settlement(
                shop.orders().engine().eventLog(), shop.inventory().engine().eventLog());
        this.callers = new Callers(shop::orders, plan.orders());
    }

    /** @return the exit code */
    int run(int threads) throws InterruptedException {
        plan.products().forEach(product -> shop.inventory()
                .addProduct(product.productId(), product.name(), product.price(), product.quantityOnHand()));
        if (!waitUntil(this::catalogueIsComplete, List.of())) {
            return stuck();
        }
        long start = System.nanoTime();
        List<Future<?>> running = callers.start(threads);
        if (!waitUntil(this::everythingHasEnded, running)) {
            return stuck();
        }
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        progress.end(progressLine());
        out.println();
        return new Report(out).print(Bookkeeper.of(shop).write(), callers.recognised(), time, committers());
    }

    private boolean catalogueIsComplete() {
        return plan.products().stream().allMatch(product -> shop.orders().knows(product.productId()));
    }

    private boolean everythingHasEnded() {
        settlement.update();
        progress.show(progressLine());
        return callers.placed() == plan.orders().size()
                && settlement.isComplete(plan.orders().size())
                && projectionIsCurrent();
    }

    private boolean projectionIsCurrent() {
        HoldfastService orders = shop.orders().engine();
        EventProcessor projection = orders.processor(CustomerOrders.VIEW.name());
        StreamPosition reached = projection.status().positions().get(Order.STREAM);
        return reached != null
                && reached.position() == orders.eventLog().head(Order.STREAM).position();
    }

    /** @return false if nothing has happened for too long */
    private boolean waitUntil(BooleanSupplier condition, List<Future<?>> running) throws InterruptedException {
        long progressAt = System.nanoTime();
        long seen = -1;
        while (!condition.getAsBoolean()) {
            Callers.throwFailures(running);
            long events = shop.engines().values().stream()
                    .mapToLong(engine -> engine.eventLog().position())
                    .sum();
            if (events != seen) {
                seen = events;
                progressAt = System.nanoTime();
            } else if (System.nanoTime() - progressAt > patience.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        }
        Callers.throwFailures(running);
        return true;
    }

    private int stuck() {
        progress.end(progressLine());
        out.println();
        out.println("STUCK: nothing has happened for " + patience.toSeconds() + " s.");
        Stuck.describe(shop, settlement).forEach(line -> out.println("  " + line));
        return Report.NOT_BALANCED;
    }

    private String progressLine() {
        return String.format(
                Locale.ROOT,
                "  %,d of %,d orders placed, %,d ended",
                callers.placed(),
                plan.orders().size(),
                settlement.ended());
    }

    private Map<String, CommitterStatistics> committers() {
        Map<String, CommitterStatistics> committers = new LinkedHashMap<>();
        shop.engines().forEach((service, engine) -> committers.put(service, engine.committerStatistics()));
        return committers;
    }
}
