package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Orders that an orchestrated saga fulfills, on the same services as the choreographed ones. */
@ExtendWith(SharedShop.class)
class CheckoutTests {

    private static final String PATH = "/api/orders/orchestrated";

    private final RunningShop shop;
    private final ShopUser user;
    private final String customer;

    CheckoutTests(RunningShop shop) {
        this.shop = shop;
        this.user = new ShopUser(shop);
        this.customer = shop.newCustomer();
    }

    @Test
    void respondsOnceTheOrderIsConfirmed() {
        String tea = shop.newProduct("4.99", 10);

        ServiceResponse placed = checkOut(tea, 3);

        assertThat(placed.status()).as(placed.body()).isEqualTo(201);
        assertThat(placed.text("status")).isEqualTo("CONFIRMED");
        String order = placed.text("orderId");
        assertThat(user.payment(order)).isEqualTo("CAPTURED");
        user.awaitStock(tea, 7, 0);
        ServiceResponse saga = user.awaitSaga(order, "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED");
        assertThat(saga.text("sagaType")).isEqualTo("OrderCheckout");
        assertThat(saga.text("kind")).isEqualTo("ORCHESTRATED");
        assertThat(saga.text("key")).isEqualTo(order);
    }

    @Test
    void respondsWithConflictIfStockIsInsufficient() {
        String cup = shop.newProduct("12.50", 0);

        ServiceResponse placed = checkOut(cup, 1);

        assertThat(placed.status()).as(placed.body()).isEqualTo(409);
        assertThat(placed.text("status")).isEqualTo("CANCELLED");
        String order = placed.text("orderId");
        user.awaitSaga(order, "COMPENSATED", "COMPENSATED", "FAILED", "PENDING", "PENDING");
        user.awaitStock(cup, 0, 0);
        assertThat(user.payment(order)).isEqualTo("none");
    }

    @Test
    void undoesTheReservationIfThePaymentIsDeclined() {
        String boat = shop.newProduct("9999.99", 2);

        ServiceResponse placed = checkOut(boat, 1);

        assertThat(placed.status()).as(placed.body()).isEqualTo(409);
        String order = placed.text("orderId");
        ServiceResponse saga = user.awaitSaga(order, "COMPENSATED", "COMPENSATED", "COMPENSATED", "FAILED", "PENDING");
        assertThat(saga.text("reason")).isEqualTo("payment of 10999.99 exceeds the limit of 10000.00");
        user.awaitStock(boat, 2, 0);
        assertThat(user.payment(order)).isEqualTo("FAILED");
    }

    @Test
    void customerCancelsAConfirmedOrder() {
        String tea = shop.newProduct("4.99", 10);
        String order = checkOut(tea, 3).text("orderId");
        user.awaitStock(tea, 7, 0);

        user.cancel(order, "changed my mind");

        user.awaitOrder(order, "CANCELLED");
        user.awaitPayment(order, "REFUNDED");
        user.awaitStock(tea, 10, 0);
        assertThat(user.saga(order).text("status")).isEqualTo("COMPLETED");
    }

    @Test
    void typesShowBothFlows() {
        ServiceResponse types = shop.order.get("/api/sagas/types");

        assertThat(types.body()).contains("\"OrderFulfillment\"", "\"OrderCheckout\"", "\"ORCHESTRATED\"");
        assertThat(shop.order.get("/api/sagas/types/OrderCheckout/diagram").body())
                .startsWith("stateDiagram-v2")
                .contains("reserve-stock (command, reservations)");
    }

    @Test
    void bothFlowsShareTheStockAndTheBooksBalance() {
        String tea = shop.newProduct("4.99", 30);
        await().atMost(ShopUser.TIMEOUT).until(() -> checkOut(tea, 1).status() != 422);
        List<CompletableFuture<ServiceResponse>> orchestrated = new ArrayList<>();
        List<String> choreographed = new ArrayList<>();

        for (int i = 0; i < 20; i++) {
            orchestrated.add(CompletableFuture.supplyAsync(() -> checkOut(tea, 1)));
            choreographed.add(user.place(tea, 1));
        }

        long confirmed = 1
                + orchestrated.stream()
                        .filter(placed -> placed.join().text("status").equals("CONFIRMED"))
                        .count()
                + choreographed.stream().filter(this::isConfirmed).count();
        assertThat(confirmed).isEqualTo(30);
        user.awaitStock(tea, 0, 0);
    }

    private boolean isConfirmed(String order) {
        ServiceResponse ended = await().atMost(ShopUser.TIMEOUT)
                .until(() -> shop.order.get("/api/orders/" + order), response -> !response.text("status")
                        .equals("PENDING"));
        return ended.text("status").equals("CONFIRMED");
    }

    /** The order service may not know the product yet. */
    private ServiceResponse checkOut(String product, int quantity) {
        return await().atMost(ShopUser.TIMEOUT)
                .until(
                        () -> shop.order.post(PATH, RunningShop.orderJson(customer, product, quantity)),
                        response -> response.status() != 422);
    }
}
