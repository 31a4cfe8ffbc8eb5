package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Proves that the reconciliation can fail: each kind of damage is detected and named. */
class LoadReconciliationTests {

    private final LoadStock stock =
            new LoadStock(Map.of("lamp", new LoadStock.StockItem("lamp", new BigDecimal("10.00"), 100)));
    private final LoadOrder order = new LoadOrder(
            new LoadProducts.PlannedOrder("ada", List.of(new ShopClient.Line("lamp", 2)), true),
            "o-1",
            Duration.ZERO,
            1);
    private final StubShop shop;

    /** Stubs a shop in which everything matches. */
    LoadReconciliationTests() throws IOException {
        shop = new StubShop();
        stubOrder("CONFIRMED", "22.00");
        stubPayment("CAPTURED", "22.00", "PaymentProcessed");
        stubStock(98, 0);
    }

    @BeforeAll
    static void choosePorts() {
        FreePorts.choose();
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void reportsNothingIfEverythingMatches() throws Exception {
        LoadReconciliation reconciliation = reconcile();

        assertThat(reconciliation.discrepancies()).isEmpty();
        assertThat(reconciliation.confirmed()).isEqualTo(1);
        assertThat(reconciliation.captured()).isEqualByComparingTo("22.00");
        assertThat(reconciliation.fulfillmentTimes()).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void detectsWrongTotal() throws Exception {
        stubOrder("CONFIRMED", "20.00");

        assertThat(reconcile().discrepancies()).containsExactly("order o-1 has total 20.00 instead of 22.00");
    }

    @Test
    void detectsWronglyCancelledOrder() throws Exception {
        stubOrder("CANCELLED", "22.00");
        shop.respond("/api/payments/order/o-1", "{\"status\":\"REFUNDED\",\"amount\":22.00}");
        stubStock(100, 0);

        assertThat(reconcile().discrepancies())
                .containsExactly("order o-1 is CANCELLED instead of CONFIRMED, reason \"\"");
    }

    @Test
    void detectsPaymentOfCancelledOrder() throws Exception {
        stubOrder("CANCELLED", "22.00");
        stubStock(100, 0);

        assertThat(reconcile().discrepancies())
                .anyMatch(discrepancy -> discrepancy.startsWith("order o-1 is cancelled, but its payment is"))
                .contains("confirmed orders total 0.00, but 22.00 was captured");
    }

    @Test
    void detectsOrderPaidTwice() throws Exception {
        stubPayment("CAPTURED", "22.00", "PaymentProcessed", "PaymentProcessed");

        assertThat(reconcile().discrepancies())
                .containsExactly("payment of order o-1 has history [PaymentProcessed, PaymentProcessed]");
    }

    @Test
    void detectsMissingMoney() throws Exception {
        stubPayment("CAPTURED", "21.99", "PaymentProcessed");

        assertThat(reconcile().discrepancies()).containsExactly("confirmed orders total 22.00, but 21.99 was captured");
    }

    @Test
    void detectsStockSoldTwiceOrStillReserved() throws Exception {
        stubStock(96, 2);

        assertThat(reconcile().discrepancies())
                .containsExactly("product lamp has 96 on hand and 2 reserved instead of 98 and 0");
    }

    @Test
    void waitsForEventuallyConsistentStock() throws Exception {
        stubStock(100, 2);
        shop.thenRespond("/api/products/lamp", "{\"quantityOnHand\":98,\"quantityReserved\":0}");

        assertThat(reconcile().discrepancies()).isEmpty();
    }

    @Test
    void detectsOneOrderForTwoRequests() throws Exception {
        LoadReconciliation reconciliation = new LoadReconciliation(new ShopClient(), stock, Duration.ofMillis(500));
        reconciliation.reconcile(List.of(order, order), open -> {});

        assertThat(reconciliation.discrepancies()).contains("order o-1 was returned for two requests");
    }

    private LoadReconciliation reconcile() throws InterruptedException {
        LoadReconciliation reconciliation = new LoadReconciliation(new ShopClient(), stock, Duration.ofMillis(500));
        reconciliation.reconcile(List.of(order), open -> {});
        return reconciliation;
    }

    private void stubOrder(String status, String total) {
        shop.respond(
                "/api/orders/o-1",
                """
                {"status":"%s","reason":"","total":%s,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:01Z"}"""
                        .formatted(status, total));
    }

    private void stubPayment(String status, String amount, String... history) {
        shop.respond("/api/payments/order/o-1", "{\"status\":\"%s\",\"amount\":%s}".formatted(status, amount));
        shop.respond(
                "/api/payments/o-1/events",
                List.of(history).stream()
                        .map("{\"eventType\":\"%s\"}"::formatted)
                        .toList()
                        .toString());
    }

    private void stubStock(int onHand, int reserved) {
        shop.respond(
                "/api/products/lamp", "{\"quantityOnHand\":%d,\"quantityReserved\":%d}".formatted(onHand, reserved));
    }
}
