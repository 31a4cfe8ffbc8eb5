package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The demo's scenarios. Each checks its own outcome. */
final class Scenarios {

    private static final String RESERVATION_COMPONENT = "stock-reservation";

    private final ShopClient shop;
    private final Narrator narrator;
    private final String runId = UUID.randomUUID().toString().substring(0, 8);

    Scenarios(ShopClient shop, Narrator narrator) {
        this.shop = shop;
        this.narrator = narrator;
    }

    /** @throws UnexpectedOutcomeException if the shop does not behave as expected */
    void run(int number) {
        switch (number) {
            case 1 -> happyPath();
            case 2 -> cancellation();
            case 5 -> paymentFailure();
            case 7 -> deadLetters();
            default -> throw new IllegalArgumentException("scenario " + number);
        }
    }

    private void happyPath() {
        narrator.title("Scenario 1, happy path: an order is reserved, paid and confirmed");
        String lamp = createProduct("Harbour lamp", "49.90", 10, false);
        String rope = createProduct("Rope, 20 m", "12.35", 10, false);
        String order = placeOrder("Both lines are reserved, or neither is.", lamp, 2, rope, 1);
        narrator.step(
                "Inventory reserves the stock, payment captures the total, order confirms. They exchange events only.");
        awaitStatus(order, "CONFIRMED");
        narrator.step("The order was paid once, with the right total: 2 × 49.90 + 12.35, plus 10 % tax.");
        checkPayment(order, "CAPTURED", "123.37");
        checkStock(lamp, 8, 0);
        checkStock(rope, 9, 0);
        narrator.step("Read the order's history: GET /api/orders/" + order + "/events");
        checkHistory(order, List.of("OrderCreated", "OrderConfirmed"));
    }

    private void cancellation() {
        narrator.title("Scenario 2, cancellation: a paid order is cancelled, refunded, and its stock returned");
        String lamp = createProduct("Harbour lamp", "49.90", 10, false);
        String order = placeOrder("It is confirmed before the customer cancels it.", lamp, 3);
        awaitStatus(order, "CONFIRMED");
        narrator.step("Cancel the order: PATCH /api/orders/" + order + "/cancel");
        shop.cancel(order, "changed my mind");
        awaitStatus(order, "CANCELLED");
        narrator.step("Payment refunds the total, inventory returns the stock.");
        narrator.awaitOutcome("payment is REFUNDED", () -> paymentStatus(order), "REFUNDED"::equals);
        narrator.awaitOutcome("stock is 10 on hand, 0 reserved", () -> stock(lamp), "10/0"::equals);
        narrator.step("Cancel the order again. The request is idempotent and changes nothing.");
        shop.cancel(order, "again");
        checkHistory(order, List.of("OrderCreated", "OrderConfirmed", "OrderCancelled"));
    }

    private void paymentFailure() {
        narrator.title("Scenario 5, payment failure: a payment above 10,000 is declined and the stock released");
        String boat = createProduct("Sailing boat", "9999.00", 3, false);
        String order = placeOrder("Its total of 10,998.90 exceeds the payment limit.", boat, 1);
        narrator.step(
                "Inventory reserves the stock, payment declines. By events, the order is cancelled and the stock released.");
        awaitStatus(order, "CANCELLED");
        checkPayment(order, "FAILED", "10998.90");
        narrator.awaitOutcome("stock is 3 on hand, 0 reserved", () -> stock(boat), "3/0"::equals);
        narrator.step("Read the reason for the cancellation: GET /api/orders/" + order);
        narrator.print(shop.order(order).text("reason"));
        checkHistory(order, List.of("OrderCreated", "OrderCancelled"));
    }

    private void deadLetters() {
        narrator.title("Scenario 7, dead letters: a failed event is parked, inspected and replayed");
        String lamp = createProduct("Harbour lamp", "49.90", 10, false);
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

    private static void removeShutdownHook(Thread hook) {
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
        String order = placeOrder("Inventory cannot handle its OrderCreated event.", lamp, 2);
        narrator.step("The event is not lost and not skipped. It is parked as a dead letter: GET /api/admin/dlq");
        List<JsonNode> parked = narrator.awaitOutcome(
                "inventory has one PENDING letter for this order",
                () -> shop.letters(ShopService.INVENTORY, order),
                letters -> letters.size() == 1
                        && "PENDING".equals(letters.get(0).path("status").asString()));
        String id = parked.get(0).path("dlqEntryId").asString();
        narrator.print(parked.get(0).toString());
        narrator.check("the order is still PENDING", "PENDING".equals(orderStatus(order)), orderStatus(order));
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
        awaitStatus(order, "CONFIRMED");
        checkPayment(order, "CAPTURED", "109.78");
        checkStock(lamp, 8, 0);
        narrator.step("The letter is gone, and replaying it once more changes nothing.");
        long after = shop.countLetters(ShopService.INVENTORY);
        narrator.check("{\"count\": " + before + "}", after == before, after);
        ShopResponse repeated = shop.replay(ShopService.INVENTORY, id);
        narrator.check("status is already-applied", "already-applied".equals(repeated.text("status")), repeated.body());
    }

    private String createProduct(String name, String price, int quantity, boolean backorder) {
        narrator.step(
                "Create a product: " + name + ", price " + price + ", " + quantity + " on hand. POST /api/products");
        return shop.createProduct(sku(name), name, new BigDecimal(price), quantity, backorder);
    }

    private String sku(String name) {
        return name.replaceAll("[^A-Za-z]+", "-") + "-" + runId;
    }

    private String placeOrder(String remark, String product, int quantity) {
        return placeOrder(remark, List.of(new ShopClient.Line(product, quantity)));
    }

    private String placeOrder(String remark, String product, int quantity, String other, int otherQuantity) {
        return placeOrder(
                remark, List.of(new ShopClient.Line(product, quantity), new ShopClient.Line(other, otherQuantity)));
    }

    private String placeOrder(String remark, List<ShopClient.Line> lines) {
        narrator.step("Place an order. " + remark + " POST /api/orders");
        String customer = shop.createCustomer("ada-" + runId + "@example.org", "Ada");
        ShopResponse response =
                shop.placeOrder("scenario-" + runId, customer, lines).join();
        narrator.check("status 201", response.status() == 201, response.status() + " " + response.body());
        narrator.print(response.body().toString());
        return response.text("orderId");
    }

    private String orderStatus(String order) {
        return shop.order(order).text("status");
    }

    private void awaitStatus(String order, String expected) {
        narrator.awaitOutcome("order is " + expected, () -> orderStatus(order), expected::equals);
    }

    private String paymentStatus(String order) {
        return shop.payment(order).map(payment -> payment.text("status")).orElse("none");
    }

    private void checkPayment(String order, String status, String amount) {
        String found = shop.payment(order)
                .map(payment -> payment.text("status") + " "
                        + payment.body()
                                .path("amount")
                                .decimalValue()
                                .setScale(2)
                                .toPlainString())
                .orElse("none");
        narrator.check("payment is " + status + " " + amount, found.equals(status + " " + amount), found);
    }

    private String stock(String product) {
        JsonNode body = shop.product(product).body();
        return body.path("quantityOnHand").asInt() + "/"
                + body.path("quantityReserved").asInt();
    }

    private void checkStock(String product, int onHand, int reserved) {
        narrator.awaitOutcome(
                "stock is " + onHand + " on hand, " + reserved + " reserved",
                () -> stock(product),
                (onHand + "/" + reserved)::equals);
    }

    private void checkHistory(String order, List<String> expected) {
        List<String> found = shop.history(ShopService.ORDER, "orders", order);
        narrator.check("history is " + String.join(", ", expected), found.equals(expected), found);
    }
}
