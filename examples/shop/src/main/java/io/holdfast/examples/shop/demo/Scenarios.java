package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The stories that the demo tells; each looks whether it has come true. */
final class Scenarios {

    private static final String RESERVATION_COMPONENT = "stock-reservation";

    private final ShopClient shop;
    private final Narrator narrator;
    private final String runId = UUID.randomUUID().toString().substring(0, 8);

    Scenarios(ShopClient shop, Narrator narrator) {
        this.shop = shop;
        this.narrator = narrator;
    }

    /** @throws UnexpectedOutcomeException if the shop does not do what it must */
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
        narrator.title("Scenario 1: an order is reserved, paid and confirmed");
        String lamp = createProduct("Harbour lamp", "49.90", 10, false);
        String rope = createProduct("Rope, 20 m", "12.35", 10, false);
        String order = placeOrder("It has two lines, so it is reserved whole or not at all.", lamp, 2, rope, 1);
        narrator.step("Inventory reserves, payment captures, order confirms: each by the others' events.");
        awaitStatus(order, "CONFIRMED");
        narrator.step("It was paid once, with the right total: (2 × 49.90 + 12.35) + 10 % tax.");
        checkPayment(order, "CAPTURED", "123.37");
        checkStock(lamp, 8, 0);
        checkStock(rope, 9, 0);
        narrator.step("What has happened to the order stays readable.");
        checkHistory(order, List.of("OrderCreated", "OrderConfirmed"));
    }

    private void cancellation() {
        narrator.title("Scenario 2: a paid order is cancelled; the money and the stock come back");
        String lamp = createProduct("Harbour lamp", "49.90", 10, false);
        String order = placeOrder("It will be confirmed first.", lamp, 3);
        awaitStatus(order, "CONFIRMED");
        narrator.step("PATCH /api/orders/" + order + "/cancel");
        shop.cancel(order, "changed my mind");
        awaitStatus(order, "CANCELLED");
        narrator.step("Payment refunds, inventory takes the stock back.");
        narrator.awaitOutcome("payment is REFUNDED", () -> paymentStatus(order), "REFUNDED"::equals);
        narrator.awaitOutcome("stock is 10 on hand, 0 reserved", () -> stock(lamp), "10/0"::equals);
        narrator.step("Cancelling once more changes nothing.");
        shop.cancel(order, "again");
        checkHistory(order, List.of("OrderCreated", "OrderConfirmed", "OrderCancelled"));
    }

    private void paymentFailure() {
        narrator.title("Scenario 5: a payment above 10,000 is declined; what was reserved is released");
        String boat = createProduct("Sailing boat", "9999.00", 3, false);
        String order = placeOrder("Its total of 10,998.90 is above the limit.", boat, 1);
        narrator.step("Stock is reserved, the payment fails, and everything is undone by events.");
        awaitStatus(order, "CANCELLED");
        checkPayment(order, "FAILED", "10998.90");
        narrator.awaitOutcome("stock is 3 on hand, 0 reserved", () -> stock(boat), "3/0"::equals);
        narrator.step("The order says why.");
        narrator.print(shop.order(order).text("reason"));
        checkHistory(order, List.of("OrderCreated", "OrderCancelled"));
    }

    private void deadLetters() {
        narrator.title("Scenario 7: a dead letter is found, looked at, and repaired");
        String lamp = createProduct("Harbour lamp", "49.90", 10, false);
        long before = shop.countLetters(ShopService.INVENTORY);
        narrator.step("How many letters wait for a person at inventory? GET /api/admin/dlq/count");
        narrator.print("{\"count\": " + before + "}");
        narrator.step(
                "A bug is deployed: inventory's component " + RESERVATION_COMPONENT + " fails. POST /api/admin/fault");
        Thread mending = new Thread(this::removeFaultOnShutdown);
        Runtime.getRuntime().addShutdownHook(mending); // Ctrl-C must not leave the bug in a shop that goes on
        try {
            shop.injectFault(ShopService.INVENTORY, RESERVATION_COMPONENT, true, "the stock ledger is corrupt");
            investigate(lamp, before);
        } finally {
            removeFault();
            removeShutdownHook(mending);
        }
    }

    private static void removeShutdownHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending, and the hook runs
        }
    }

    private void removeFault() {
        shop.injectFault(ShopService.INVENTORY, RESERVATION_COMPONENT, false, "");
    }

    private void removeFaultOnShutdown() {
        try {
            removeFault();
        } catch (ShopClient.UnreachableException | UnexpectedOutcomeException e) {
            // the shop has ended as well, and with it the bug
        }
    }

    private void investigate(String lamp, long before) {
        String order = placeOrder("Inventory cannot handle its OrderCreated.", lamp, 2);
        narrator.step("The event is not lost, and not skipped: it is parked. GET /api/admin/dlq");
        List<JsonNode> parked = narrator.awaitOutcome(
                "one letter of this order waits at inventory",
                () -> shop.letters(ShopService.INVENTORY, order),
                letters -> letters.size() == 1
                        && "PENDING".equals(letters.get(0).path("status").asString()));
        String id = parked.get(0).path("dlqEntryId").asString();
        narrator.print(parked.get(0).toString());
        narrator.check("the order is still PENDING", "PENDING".equals(orderStatus(order)), orderStatus(order));
        narrator.step("Why? GET /api/admin/dlq/{id} has the whole cause, the payload and every attempt.");
        ShopResponse letter = shop.letter(ShopService.INVENTORY, id);
        narrator.check(
                "the letter says what it failed with",
                letter.body().toString().contains("the stock ledger is corrupt"),
                letter.body());
        narrator.step(
                "A replay while the bug is still there fails again, and says so. POST /api/admin/dlq/{id}/replay");
        ShopResponse failed = shop.replay(ShopService.INVENTORY, id);
        narrator.check("the answer is the real outcome", "failed-again".equals(failed.text("status")), failed.body());
        narrator.step("The bug is mended. POST /api/admin/fault?enabled=false");
        removeFault();
        narrator.step("Now the replay takes effect, at once.");
        ShopResponse replayed = shop.replay(ShopService.INVENTORY, id);
        narrator.check("it was applied", "replayed".equals(replayed.text("status")), replayed.body());
        narrator.step("The order goes on from where it was.");
        awaitStatus(order, "CONFIRMED");
        checkPayment(order, "CAPTURED", "109.78");
        checkStock(lamp, 8, 0);
        narrator.step("Nothing waits any more, and a second replay finds nothing to do.");
        long after = shop.countLetters(ShopService.INVENTORY);
        narrator.check("{\"count\": " + before + "}", after == before, after);
        ShopResponse again = shop.replay(ShopService.INVENTORY, id);
        narrator.check("already applied", "already-applied".equals(again.text("status")), again.body());
    }

    private String createProduct(String name, String price, int quantity, boolean backorder) {
        narrator.step("A product: " + name + " for " + price + ", " + quantity + " on hand. POST /api/products");
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
        narrator.step("A customer orders. " + remark + " POST /api/orders");
        String customer = shop.createCustomer("ada-" + runId + "@example.org", "Ada");
        ShopResponse answer =
                shop.placeOrder("scenario-" + runId, customer, lines).join();
        narrator.check("201, PENDING", answer.status() == 201, answer.status() + " " + answer.body());
        narrator.print(answer.body().toString());
        return answer.text("orderId");
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
        narrator.check("its history: " + String.join(", ", expected), found.equals(expected), found);
    }
}
