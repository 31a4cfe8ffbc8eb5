package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.StoppedServices;
import java.nio.file.Path;
import java.util.List;

/** The demo's scenarios. Each checks its own outcome. */
final class Scenarios {

    private final ShopClient shop;
    private final Narrator narrator;
    private final ScenarioSteps steps;
    private final OutageScenario outage;
    private final InvestigationScenario investigation;

    /** @param data the directory of the shop's databases */
    Scenarios(ShopClient shop, Narrator narrator, Path data) {
        this.shop = shop;
        this.narrator = narrator;
        this.steps = new ScenarioSteps(shop, narrator);
        this.outage = new OutageScenario(shop, narrator, steps, new StoppedServices(data));
        this.investigation = new InvestigationScenario(shop, narrator, steps);
    }

    /** @throws UnexpectedOutcomeException if the shop does not behave as expected */
    void run(int number) {
        switch (number) {
            case 1 -> happyPath();
            case 2 -> cancellation();
            case 5 -> paymentFailure();
            case 6 -> outage.run();
            case 7 -> investigation.run();
            default -> throw new IllegalArgumentException("scenario " + number);
        }
    }

    private void happyPath() {
        narrator.title("Scenario 1, happy path: an order is reserved, paid and confirmed");
        String lamp = steps.createProduct("Harbour lamp", "49.90", 10);
        String rope = steps.createProduct("Rope, 20 m", "12.35", 10);
        String order = steps.placeOrder("Both lines are reserved, or neither is.", lamp, 2, rope, 1);
        narrator.step(
                "Inventory reserves the stock, payment captures the total, order confirms. They exchange events only.");
        steps.awaitStatus(order, "CONFIRMED");
        narrator.step("The order was paid once, with the right total: 2 × 49.90 + 12.35, plus 10 % tax.");
        steps.checkPayment(order, "CAPTURED", "123.37");
        steps.checkStock(lamp, 8, 0);
        steps.checkStock(rope, 9, 0);
        narrator.step("Read the order's history: GET /api/orders/" + order + "/events");
        steps.checkHistory(order, List.of("OrderCreated", "OrderConfirmed"));
    }

    private void cancellation() {
        narrator.title("Scenario 2, cancellation: a paid order is cancelled, refunded, and its stock returned");
        String lamp = steps.createProduct("Harbour lamp", "49.90", 10);
        String order = steps.placeOrder("It is confirmed before the customer cancels it.", lamp, 3);
        steps.awaitStatus(order, "CONFIRMED");
        narrator.step("Cancel the order: PATCH /api/orders/" + order + "/cancel");
        shop.cancel(order, "changed my mind");
        steps.awaitStatus(order, "CANCELLED");
        narrator.step("Payment refunds the total, inventory returns the stock.");
        narrator.awaitOutcome("payment is REFUNDED", () -> steps.paymentStatus(order), "REFUNDED"::equals);
        narrator.awaitOutcome("stock is 10 on hand, 0 reserved", () -> steps.stock(lamp), "10/0"::equals);
        narrator.step("Cancel the order again. The request is idempotent and changes nothing.");
        shop.cancel(order, "again");
        steps.checkHistory(order, List.of("OrderCreated", "OrderConfirmed", "OrderCancelled"));
    }

    private void paymentFailure() {
        narrator.title("Scenario 5, payment failure: a payment above 10,000 is declined and the stock released");
        String boat = steps.createProduct("Sailing boat", "9999.00", 3);
        String order = steps.placeOrder("Its total of 10,998.90 exceeds the payment limit.", boat, 1);
        narrator.step(
                "Inventory reserves the stock, payment declines. By events, the order is cancelled and the stock released.");
        steps.awaitStatus(order, "CANCELLED");
        steps.checkPayment(order, "FAILED", "10998.90");
        narrator.awaitOutcome("stock is 3 on hand, 0 reserved", () -> steps.stock(boat), "3/0"::equals);
        narrator.step("Read the reason for the cancellation: GET /api/orders/" + order);
        narrator.print(shop.order(order).text("reason"));
        steps.checkHistory(order, List.of("OrderCreated", "OrderCancelled"));
    }

    static void removeShutdownHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is shutting down and runs the hook
        }
    }
}
