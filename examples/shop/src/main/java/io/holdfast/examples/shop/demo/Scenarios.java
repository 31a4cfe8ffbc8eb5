package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import io.holdfast.examples.shop.launcher.StoppedServices;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The demo's scenarios. Each checks its own outcome. */
final class Scenarios {

    private static final String RESERVATION_COMPONENT = "stock-reservation";

    private final ShopClient shop;
    private final Narrator narrator;
    private final ScenarioSteps steps;
    private final OutageScenario outage;

    /** @param data the directory of the shop's databases */
    Scenarios(ShopClient shop, Narrator narrator, Path data) {
        this.shop = shop;
        this.narrator = narrator;
        this.steps = new ScenarioSteps(shop, narrator);
        this.outage = new OutageScenario(shop, narrator, steps, new StoppedServices(data));
    }

    /** @throws UnexpectedOutcomeException if the shop does not behave as expected */
    void run(int number) {
        switch (number) {
            case 1 -> happyPath();
            case 2 -> cancellation();
            case 5 -> paymentFailure();
            case 6 -> outage.run();
            case 7 -> deadLetters();
            default -> throw new IllegalArgumentException("scenario " + number);
        }
    }

    private void happyPath() {
        narrator.title("Scenario 1, happy path: an order is reserved, paid and confirmed");
        String lamp = steps.createProduct("Harbour lamp", "49.90", 10, false);
        String rope = steps.createProduct("Rope, 20 m", "12.35", 10, false);
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
        String lamp = steps.createProduct("Harbour lamp", "49.90", 10, false);
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
        String boat = steps.createProduct("Sailing boat", "9999.00", 3, false);
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

    private void deadLetters() {
        narrator.title("Scenario 7, dead letters: a failed event is parked, inspected and replayed");
        String lamp = steps.createProduct("Harbour lamp", "49.90", 10, false);
        long before = shop.countLetters(ShopService.INVENTORY);
        narrator.step("Count inventory's PENDING letters, which need an operator: GET /api/admin/dlq/count");
        narrator.print("{\"count\": " + before + "}");
        narrator.step(
                "Deploy a bug: inventory's component " + RESERVATION_COMPONENT + " now fails. POST /api/admin/fault");
        Thread cleanup = new Thread(this::removeFaultOnShutdown);
        Runtime.getRuntime().addShutdownHook(cleanup); // Ctrl-C must not leave the bug in a shop that keeps running
        try {
            shop.injectFault(ShopService.INVENTORY, RESERVATION_COMPONENT, true, "the stock ledger is corrupt");
            investigate(lamp, before);
        } finally {
            removeFault();
            removeShutdownHook(cleanup);
        }
    }

    static void removeShutdownHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is shutting down and runs the hook
        }
    }

    private void removeFault() {
        shop.injectFault(ShopService.INVENTORY, RESERVATION_COMPONENT, false, "");
    }

    private void removeFaultOnShutdown() {
        try {
            removeFault();
        } catch (ShopClient.UnreachableException | UnexpectedOutcomeException e) {
            // the shop has stopped too, and the fault with it
        }
    }

    private void investigate(String lamp, long before) {
        String order = steps.placeOrder("Inventory cannot handle its OrderCreated event.", lamp, 2);
        narrator.step("The event is not lost and not skipped. It is parked as a dead letter: GET /api/admin/dlq");
        List<JsonNode> parked = narrator.awaitOutcome(
                "inventory has one PENDING letter for this order",
                () -> shop.letters(ShopService.INVENTORY, order),
                letters -> letters.size() == 1
                        && "PENDING".equals(letters.get(0).path("status").asString()));
        String id = parked.get(0).path("dlqEntryId").asString();
        narrator.print(parked.get(0).toString());
        narrator.check(
                "the order is still PENDING", "PENDING".equals(steps.orderStatus(order)), steps.orderStatus(order));
        narrator.step("Inspect the letter's cause, payload and attempts: GET /api/admin/dlq/" + id);
        ShopResponse letter = shop.letter(ShopService.INVENTORY, id);
        narrator.check(
                "the letter contains the error message",
                letter.body().toString().contains("the stock ledger is corrupt"),
                letter.body());
        narrator.step(
                "Replay the letter before the bug is fixed; it fails again: POST /api/admin/dlq/" + id + "/replay");
        ShopResponse failed = shop.replay(ShopService.INVENTORY, id);
        narrator.check("status is failed-again", "failed-again".equals(failed.text("status")), failed.body());
        narrator.step("Fix the bug: POST /api/admin/fault?enabled=false");
        removeFault();
        narrator.step("Replay the letter again. Now the event is handled.");
        ShopResponse replayed = shop.replay(ShopService.INVENTORY, id);
        narrator.check("status is replayed", "replayed".equals(replayed.text("status")), replayed.body());
        narrator.step("The order continues where it stopped.");
        steps.awaitStatus(order, "CONFIRMED");
        steps.checkPayment(order, "CAPTURED", "109.78");
        steps.checkStock(lamp, 8, 0);
        narrator.step("The letter is gone, and replaying it once more changes nothing.");
        long after = shop.countLetters(ShopService.INVENTORY);
        narrator.check("{\"count\": " + before + "}", after == before, after);
        ShopResponse repeated = shop.replay(ShopService.INVENTORY, id);
        narrator.check("status is already-applied", "already-applied".equals(repeated.text("status")), repeated.body());
    }
}
