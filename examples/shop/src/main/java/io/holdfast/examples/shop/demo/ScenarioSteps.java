package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Steps and checks that scenarios share. Not thread-safe. */
final class ScenarioSteps {

    private final ShopClient shop;
    private final Narrator narrator;
    private final String runId = UUID.randomUUID().toString().substring(0, 8);

    ScenarioSteps(ShopClient shop, Narrator narrator) {
        this.shop = shop;
        this.narrator = narrator;
    }

    String createProduct(String name, String price, int quantity) {
        narrator.step(
                "Create a product: " + name + ", price " + price + ", " + quantity + " on hand. POST /api/products");
        return shop.createProduct(sku(name), name, new BigDecimal(price), quantity, false);
    }

    /** Orders of the product wait for a restock if stock is insufficient. */
    String createBackorderProduct(String name, String price, int quantity) {
        narrator.step("Create a product that can be backordered: " + name + ", price " + price + ", " + quantity
                + " on hand. POST /api/products");
        return shop.createProduct(sku(name), name, new BigDecimal(price), quantity, true);
    }

    private String sku(String name) {
        return name.replaceAll("[^A-Za-z]+", "-") + "-" + runId;
    }

    String placeOrder(String remark, String product, int quantity) {
        return placeOrder(remark, List.of(new ShopClient.Line(product, quantity)));
    }

    String placeOrder(String remark, String product, int quantity, String other, int otherQuantity) {
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

    String orderStatus(String order) {
        return shop.order(order).text("status");
    }

    void awaitStatus(String order, String expected) {
        narrator.awaitOutcome("order is " + expected, () -> orderStatus(order), expected::equals);
    }

    String paymentStatus(String order) {
        return shop.payment(order).map(payment -> payment.text("status")).orElse("none");
    }

    void checkPayment(String order, String status, String amount) {
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

    String stock(String product) {
        JsonNode body = shop.product(product).body();
        return body.path("quantityOnHand").asInt() + "/"
                + body.path("quantityReserved").asInt();
    }

    void checkStock(String product, int onHand, int reserved) {
        narrator.awaitOutcome(
                "stock is " + onHand + " on hand, " + reserved + " reserved",
                () -> stock(product),
                (onHand + "/" + reserved)::equals);
    }

    void checkHistory(String order, List<String> expected) {
        List<String> found = shop.history(ShopService.ORDER, "orders", order);
        narrator.check("history is " + String.join(", ", expected), found.equals(expected), found);
    }
}
