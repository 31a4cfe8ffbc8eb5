package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Every way in which an order can end: stock, payment, order and saga agree. */
@ExtendWith(SharedShop.class)
class FulfillmentSagaTests {

    private final RunningShop shop;
    private final ShopUser user;

    FulfillmentSagaTests(RunningShop shop) {
        this.shop = shop;
        this.user = new ShopUser(shop);
    }

    @AfterEach
    void resume() {
        shop.inventory.resume();
    }

    @Test
    void confirmedOrderCompletesItsSaga() {
        String tea = shop.newProduct("4.99", 10);

        String order = user.place(tea, 3);

        user.awaitOrder(order, "CONFIRMED");
        user.awaitStock(tea, 7, 0);
        user.awaitPayment(order, "CAPTURED");
        ServiceResponse saga = user.awaitSaga(order, "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED");
        assertThat(saga.text("sagaType")).isEqualTo("OrderFulfillment");
        assertThat(saga.text("service")).isEqualTo("order");
        assertThat(saga.text("key")).isEqualTo(order);
        assertThat(ShopUser.steps(saga))
                .containsOnlyKeys("0 OrderCreated", "1 StockReserved", "2 PaymentProcessed", "3 OrderConfirmed");
        assertThat(ShopUser.expected(saga)).isEmpty();
    }

    @Test
    void sagaIsReadableWhenTheOrderIsPlaced() {
        String tea = shop.newProduct("4.99", 10);

        ServiceResponse saga = user.saga(user.place(tea, 1));

        assertThat(saga.status()).as(saga.body()).isEqualTo(200);
        assertThat(ShopUser.steps(saga)).containsEntry("0 OrderCreated", "COMPLETED");
    }

    @Test
    void orderWithoutStockIsCompensated() {
        String cup = shop.newProduct("12.50", 0);

        String order = user.place(cup, 1);

        user.awaitOrder(order, "CANCELLED");
        ServiceResponse saga = user.awaitSaga(order, "COMPENSATED", "COMPENSATED", "FAILED", "WITHDRAWN", "PENDING");
        assertThat(saga.text("reason")).startsWith("insufficient stock: 1 of " + cup);
        user.awaitStock(cup, 0, 0);
        assertThat(user.payment(order)).isEqualTo("none");
    }

    @Test
    void declinedOrderIsCompensated() {
        String boat = shop.newProduct("9999.99", 2);

        String order = user.place(boat, 1);

        user.awaitOrder(order, "CANCELLED");
        ServiceResponse saga = user.awaitSaga(order, "COMPENSATED", "COMPENSATED", "COMPENSATED", "FAILED", "PENDING");
        assertThat(saga.text("reason")).isEqualTo("payment of 10999.99 exceeds the limit of 10000.00");
        user.awaitStock(boat, 2, 0);
        assertThat(user.payment(order)).isEqualTo("FAILED");
    }

    @Test
    void orderCancelledAfterPaymentKeepsItsCompletedSagaAndShowsTheRefund() {
        String tea = shop.newProduct("4.99", 10);
        String order = user.place(tea, 3);
        user.awaitOrder(order, "CONFIRMED");
        user.awaitStock(tea, 7, 0);

        user.cancel(order, "not wanted");

        user.awaitStock(tea, 10, 0);
        user.awaitPayment(order, "REFUNDED");
        ServiceResponse saga =
                user.awaitSaga(order, "COMPLETED", "COMPENSATED", "COMPENSATED", "COMPENSATED", "COMPLETED");
        assertThat(saga.text("attention")).as("an operator need not look at it").isEmpty();
    }

    @Test
    void orderCancelledBeforeTheReservationIsWithdrawnAndNeverReserved() {
        String tea = shop.newProduct("4.99", 10);
        user.awaitStock(tea, 10, 0);
        awaitVisible(tea);
        shop.inventory.pause();
        String order = user.place(tea, 3);

        user.cancel(order, "not wanted");
        user.awaitSaga(order, "COMPENSATING", "COMPENSATED", "PENDING", "WITHDRAWN", "PENDING");
        assertThat(ShopUser.expected(user.saga(order))).containsExactly("ReservationWithdrawn");
        shop.inventory.resume();

        await().atMost(ShopUser.TIMEOUT).until(() -> user.saga(order).text("status"), "COMPENSATED"::equals);
        user.awaitStock(tea, 10, 0);
        assertThat(user.payment(order)).isEqualTo("none");
    }

    @Test
    void backorderSuspendsNothingButWaitsForItsReplay() {
        String lamp = shop.newProduct("20.00", 1, ", \"backorder\": true");
        String order = user.place(lamp, 2);
        String letter = await().atMost(ShopUser.TIMEOUT).until(() -> findLetter(order), id -> !id.isEmpty());
        user.awaitSaga(order, "STARTED", "COMPLETED", "PENDING", "PENDING", "PENDING");

        shop.inventory.post("/api/products/" + lamp + "/stock/replenish", "{\"quantity\": 5}");
        assertThat(shop.inventory
                        .post("/api/admin/dlq/" + letter + "/replay", "{}")
                        .text("status"))
                .isEqualTo("replayed");

        user.awaitOrder(order, "CONFIRMED");
        user.awaitSaga(order, "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED");
        user.awaitStock(lamp, 4, 0);
        user.awaitPayment(order, "CAPTURED");
    }

    @Test
    void everyEventOfASagaNamesItsStep() {
        String boat = shop.newProduct("9999.99", 2);
        String order = user.place(boat, 1);
        user.awaitSaga(order, "COMPENSATED", "COMPENSATED", "COMPENSATED", "FAILED", "PENDING");

        assertThat(shop.order.engine().commands().history(io.holdfast.examples.shop.order.Order.TYPE, order, 0, 10))
                .extracting(event -> event.metadata().stepNumber().orElse(-1))
                .containsExactly(0, 0);
        assertThat(shop.payment
                        .engine()
                        .commands()
                        .history(io.holdfast.examples.shop.payment.Payment.TYPE, order, 0, 10))
                .extracting(event -> event.metadata().stepNumber().orElse(-1))
                .containsExactly(2);
    }

    @Test
    void listsTypesDiagramsAndApiDocs() {
        assertThat(shop.order.get("/api/sagas/types").body()).contains("OrderFulfillment", "\"deadlineMs\":60000");
        assertThat(shop.order.get("/api/sagas/types/OrderFulfillment/diagram").body())
                .startsWith("stateDiagram-v2");
        assertThat(shop.order.get("/api/sagas?type=OrderFulfillment&limit=1").status())
                .isEqualTo(200);
        assertThat(shop.order.get("/v3/api-docs").body()).contains("/api/sagas/{id}");
        assertThat(shop.payment.get("/api/sagas").body())
                .as("another service tracks them")
                .isEqualTo("[]");
    }

    /** Waits until the order service has the product, with an order that is too large to reserve anything. */
    private void awaitVisible(String product) {
        user.awaitOrder(user.place(product, 10_000), "CANCELLED");
    }

    private String findLetter(String order) {
        for (JsonNode entry : shop.inventory.get("/api/admin/dlq?limit=500").json()) {
            if (entry.path("key").asString("").equals(order)) {
                return entry.path("dlqEntryId").asString();
            }
        }
        return "";
    }
}
