package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import io.holdfast.examples.shop.launcher.StoppedServices;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Scenario 6: a saga times out because a service is down, and is compensated. If each service has its own process, that
 * of the service is killed; in one process, its handlers are paused.
 */
final class OutageScenario {

    private static final ShopService DOWN = ShopService.PAYMENT;

    /** How long the outcome may take after the deadline has passed, or after the service has returned. */
    private static final Duration MARGIN = Duration.ofSeconds(90);

    private final ShopClient shop;
    private final Narrator narrator;
    private final ScenarioSteps steps;
    private final StoppedServices stopped;

    OutageScenario(ShopClient shop, Narrator narrator, ScenarioSteps steps, StoppedServices stopped) {
        this.shop = shop;
        this.narrator = narrator;
        this.steps = steps;
        this.stopped = stopped;
    }

    void run() {
        narrator.title("Scenario 6, saga timeout: a service is down, and the order is cancelled after its deadline");
        String lamp = steps.createProduct("Harbour lamp", "49.90", 10);
        boolean ownProcess = shop.pid(DOWN) != shop.pid(ShopService.ORDER);
        Thread cleanup = new Thread(() -> bringBackOnShutdown(ownProcess));
        Runtime.getRuntime().addShutdownHook(cleanup); // Ctrl-C must not leave the service down
        try {
            takeDown(ownProcess);
            String order = placeAndTimeOut(lamp);
            narrator.step("Bring payment back. It finds the order cancelled, and compensates its own step.");
            bringBack(ownProcess);
            narrator.awaitOutcome("payment responds", () -> shop.isReady(DOWN), ready -> ready, MARGIN);
            checkCompensated(order, lamp);
        } finally {
            bringBack(ownProcess);
            Scenarios.removeShutdownHook(cleanup);
        }
    }

    private void takeDown(boolean ownProcess) {
        if (ownProcess) {
            narrator.step("Kill the process of the payment service, and do not restart it yet.");
            stopped.add(DOWN);
            narrator.awaitOutcome("payment does not respond", () -> shop.isReady(DOWN), ready -> !ready);
        } else {
            narrator.step(
                    "Pause all handlers of the payment service, as if it were down. POST /api/demo/handlers/pause");
            shop.pauseHandlers(DOWN);
            narrator.awaitOutcome("its handlers are paused", () -> shop.isPaused(DOWN), paused -> paused);
        }
    }

    private String placeAndTimeOut(String lamp) {
        Duration deadline = shop.sagaDeadline("OrderFulfillment");
        String order = steps.placeOrder("The payment service will not respond.", lamp, 2);
        narrator.step("Inventory reserves the stock. The saga waits for payment: GET /api/sagas/saga-" + order);
        narrator.awaitOutcome("stock is 10 on hand, 2 reserved", () -> steps.stock(lamp), "10/2"::equals);
        narrator.awaitOutcome("the saga awaits PaymentProcessed", () -> expected(order), "[PaymentProcessed]"::equals);
        narrator.step("The saga has a deadline of " + deadline.toSeconds()
                + " s. After that, the order service cancels the order and records the timeout, in one commit.");
        narrator.awaitOutcome(
                "order is CANCELLED", () -> steps.orderStatus(order), "CANCELLED"::equals, deadline.plus(MARGIN));
        narrator.print(shop.order(order).text("reason"));
        narrator.step("Inventory releases the stock. The saga stays COMPENSATING, because payment has not responded.");
        narrator.awaitOutcome("stock is 10 on hand, 0 reserved", () -> steps.stock(lamp), "10/0"::equals);
        narrator.awaitOutcome(
                "saga is COMPENSATING, steps [COMPENSATED, COMPENSATED, PENDING, PENDING]",
                () -> sagaStatus(order) + " " + stepStatuses(order),
                "COMPENSATING [COMPENSATED, COMPENSATED, PENDING, PENDING]"::equals);
        return order;
    }

    private void checkCompensated(String order, String lamp) {
        narrator.awaitOutcome("saga is COMPENSATED", () -> sagaStatus(order), "COMPENSATED"::equals, MARGIN);
        List<String> payment = shop.history(DOWN, "payments", order);
        narrator.check(
                "payment was withdrawn, or captured and refunded",
                payment.equals(List.of("PaymentWithdrawn"))
                        || payment.equals(List.of("PaymentProcessed", "PaymentRefunded")),
                payment);
        narrator.print(String.join(", ", payment));
        steps.checkStock(lamp, 10, 0);
        steps.checkHistory(order, List.of("OrderCreated", "OrderCancelled"));
        narrator.step("Read what happened, as a Mermaid diagram: GET /api/sagas/saga-" + order + "/diagram");
        shop.sagaDiagram(order).lines().forEach(narrator::print);
    }

    private void bringBack(boolean ownProcess) {
        if (ownProcess) {
            stopped.remove(DOWN);
        } else {
            shop.resumeHandlers(DOWN);
        }
    }

    private void bringBackOnShutdown(boolean ownProcess) {
        try {
            bringBack(ownProcess);
        } catch (ShopClient.UnreachableException | UnexpectedOutcomeException e) {
            // the shop has stopped too
        }
    }

    private String sagaStatus(String order) {
        return shop.saga(order).text("status");
    }

    private String stepStatuses(String order) {
        return texts(shop.saga(order).body().path("steps"), "status");
    }

    private String expected(String order) {
        return texts(shop.saga(order).body().path("expected"), "eventType");
    }

    private static String texts(JsonNode list, String field) {
        return list.valueStream()
                .map(entry -> entry.path(field).asString())
                .toList()
                .toString();
    }
}
