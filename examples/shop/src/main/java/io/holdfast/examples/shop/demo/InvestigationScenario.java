package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Scenario 7: an order waits for stock as a dead letter of inventory, and is repaired from the order service: found,
 * understood, restocked, replayed, and the outcome shown on a receipt.
 */
final class InvestigationScenario {

    /** The operator works at this service, although inventory owns the letter. */
    private static final ShopService GATEWAY = ShopService.ORDER;

    private final ShopClient shop;
    private final Narrator narrator;
    private final ScenarioSteps steps;

    InvestigationScenario(ShopClient shop, Narrator narrator, ScenarioSteps steps) {
        this.shop = shop;
        this.narrator = narrator;
        this.steps = steps;
    }

    void run() {
        narrator.title("Scenario 7, dead letters: an order waits for stock, and is repaired from another service");
        String sextant = steps.createBackorderProduct("Brass sextant", "49.90", 1);
        String order =
                steps.placeOrder("Two are ordered, one is in stock. The product can be backordered.", sextant, 2);
        String id = find(order);
        understand(order, id);
        replayTooEarly(id);
        narrator.step("Restock the product: POST /api/products/" + sextant + "/stock/replenish");
        shop.replenish(sextant, 5);
        String receipt = replay(id);
        narrator.step("The saga continues where it stopped, and completes.");
        narrator.awaitOutcome("saga is COMPLETED", () -> sagaStatus(order), "COMPLETED"::equals);
        steps.awaitStatus(order, "CONFIRMED");
        steps.checkPayment(order, "CAPTURED", "109.78");
        steps.checkStock(sextant, 4, 0);
        prove(id, receipt);
    }

    /** @return the id of the entry */
    private String find(String order) {
        narrator.step("Inventory cannot reserve the stock. The event is parked as a dead letter, which every service"
                + " lists, here the order service: GET /api/admin/dlq?sagaId=saga-" + order);
        List<JsonNode> parked = narrator.awaitOutcome(
                "inventory has one PENDING letter of this saga",
                () -> shop.lettersOfSaga(GATEWAY, order),
                letters -> letters.size() == 1
                        && letters.get(0).path("status").asString().equals("PENDING")
                        && letters.get(0).path("sourceService").asString().equals("inventory"));
        narrator.print(parked.get(0).toString());
        narrator.check("the order is PENDING", steps.orderStatus(order).equals("PENDING"), steps.orderStatus(order));
        return parked.get(0).path("dlqEntryId").asString();
    }

    private void understand(String order, String id) {
        narrator.step("The saga's deadline is suspended while its event is parked: GET /api/sagas/saga-" + order);
        narrator.awaitOutcome("saga is suspended", () -> shop.saga(order).body().path("suspended"), JsonNode::isObject);
        narrator.step("Inspect the letter's cause, payload and attempts: GET /api/admin/dlq/" + id);
        ShopResponse letter = shop.letter(GATEWAY, id);
        String type = letter.text("failureType");
        narrator.print(letter.text("failureReason"));
        narrator.check("the cause is an InsufficientStockException", type.endsWith("InsufficientStockException"), type);
    }

    private void replayTooEarly(String id) {
        narrator.step("Replay the letter too early; it fails again, and nothing changes: POST /api/admin/dlq/" + id
                + "/replay");
        ShopResponse failed = shop.replay(GATEWAY, id);
        narrator.check("status is failed-again", failed.text("status").equals("failed-again"), failed.body());
    }

    /** @return the id of the receipt */
    private String replay(String id) {
        narrator.step("Replay the letter again. Inventory, its owner, handles the event at once.");
        ShopResponse replayed = shop.replay(GATEWAY, id);
        narrator.check(
                "status is replayed, outcome APPLIED",
                replayed.text("status").equals("replayed")
                        && replayed.text("outcome").equals("APPLIED"),
                replayed.body());
        return replayed.text("receiptId");
    }

    private void prove(String id, String receiptId) {
        narrator.step("The receipt proves what happened: GET /api/admin/receipts/" + receiptId);
        JsonNode receipt = shop.receipt(GATEWAY, receiptId).body();
        JsonNode totals = receipt.path("totals");
        narrator.print(receipt.toString());
        narrator.check(
                "one letter selected, one applied, none open",
                totals.path("selected").asInt() == 1
                        && totals.path("applied").asInt() == 1
                        && totals.path("open").asInt() == 0,
                totals);
        narrator.step("Replay the letter once more. It was applied, so it does not take effect again.");
        ShopResponse repeated = shop.replay(GATEWAY, id);
        narrator.check("status is already-applied", repeated.text("status").equals("already-applied"), repeated.body());
    }

    private String sagaStatus(String order) {
        return shop.saga(order).text("status");
    }
}
