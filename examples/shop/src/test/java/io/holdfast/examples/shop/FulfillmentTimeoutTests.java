package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service is down when its step is due, past the deadline. The order is cancelled; when the service returns, it
 * compensates.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FulfillmentTimeoutTests {

    /** Long enough to reserve and pay on a loaded machine, before a service is needed that is down. */
    private static final String DEADLINE = "saga.timeout.saga-types.OrderFulfillment=6s";

    private RunningShop shop;
    private ShopUser user;

    @BeforeAll
    void start(@TempDir Path data) {
        shop = new RunningShop(data, DEADLINE);
        user = new ShopUser(shop);
    }

    @AfterEach
    void resume() {
        shop.services().forEach(RunningShop.RunningService::resume);
    }

    @AfterAll
    void close() {
        shop.close();
    }

    @Test
    void inventoryIsPausedBeforeTheReservation() {
        String tea = newProduct();
        shop.inventory.pause();
        String order = user.place(tea, 3);

        assertTimedOut(order, "timed out waiting for StockReserved of service inventory");
        user.awaitSaga(order, "COMPENSATING", "COMPENSATED", "PENDING", "WITHDRAWN", "PENDING");
        shop.inventory.resume();

        assertCompensated(order, tea);
        assertThat(user.payment(order)).isEqualTo("none");
    }

    @Test
    void inventoryIsStoppedBeforeTheReservation() {
        String tea = newProduct();
        shop.inventory.stop();
        String order = user.place(tea, 3);

        assertTimedOut(order, "timed out waiting for StockReserved of service inventory");
        user.awaitSaga(order, "COMPENSATING", "COMPENSATED", "PENDING", "WITHDRAWN", "PENDING");
        shop.inventory.restart();

        assertCompensated(order, tea);
        assertThat(user.payment(order)).isEqualTo("none");
    }

    @Test
    void paymentIsPausedBeforeTheCapture() {
        String tea = newProduct();
        shop.payment.pause();
        String order = user.place(tea, 3);

        assertTimedOut(order, "timed out waiting for PaymentProcessed of service payment");
        user.awaitSaga(order, "COMPENSATING", "COMPENSATED", "COMPENSATED", "PENDING", "PENDING");
        user.awaitStock(tea, 10, 0);
        assertThat(ShopUser.expected(user.saga(order))).containsExactly("PaymentWithdrawn");
        shop.payment.resume();

        assertCompensated(order, tea);
        assertThat(user.payment(order)).isIn("none", "REFUNDED");
    }

    @Test
    void paymentIsStoppedBeforeTheCapture() {
        String tea = newProduct();
        shop.payment.stop();
        String order = user.place(tea, 3);

        assertTimedOut(order, "timed out waiting for PaymentProcessed of service payment");
        user.awaitSaga(order, "COMPENSATING", "COMPENSATED", "COMPENSATED", "PENDING", "PENDING");
        user.awaitStock(tea, 10, 0);
        shop.payment.restart();

        assertCompensated(order, tea);
        assertThat(user.payment(order)).isIn("none", "REFUNDED");
    }

    @Test
    void orderIsPausedAfterTheCaptureAndConfirmsLater() {
        String tea = newProduct();
        shop.order.pause("fulfillment");
        String order = user.place(tea, 3);
        user.awaitPayment(order, "CAPTURED");
        user.awaitSaga(order, "IN_PROGRESS", "COMPLETED", "COMPLETED", "COMPLETED", "PENDING");
        Instant deadline = Instant.parse(user.saga(order).text("deadline"));

        await().atMost(ShopUser.TIMEOUT).until(() -> Instant.now().isAfter(deadline.plusSeconds(5)));
        assertThat(user.saga(order).text("status"))
                .as("the order service has not read everything up to the deadline")
                .isEqualTo("IN_PROGRESS");
        shop.order.resume();

        user.awaitOrder(order, "CONFIRMED");
        user.awaitSaga(order, "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED");
        user.awaitStock(tea, 7, 0);
        assertThat(user.payment(order)).isEqualTo("CAPTURED");
    }

    @Test
    void orderIsStoppedAndConfirmsWhatWasPaidInTime() {
        String tea = newProduct();
        shop.order.pause("fulfillment");
        String order = user.place(tea, 3);
        user.awaitPayment(order, "CAPTURED");
        Instant deadline = Instant.parse(user.saga(order).text("deadline"));
        shop.order.stop();

        await().atMost(ShopUser.TIMEOUT).until(() -> Instant.now().isAfter(deadline.plusSeconds(1)));
        shop.order.restart();
        shop.order.resume();

        user.awaitOrder(order, "CONFIRMED");
        user.awaitSaga(order, "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED");
        user.awaitStock(tea, 7, 0);
    }

    @Test
    void inventoryIsPausedAfterTheReservationWhilePaymentIsDown() {
        String tea = newProduct();
        shop.payment.pause();
        String order = user.place(tea, 3);
        user.awaitStock(tea, 10, 3);
        shop.inventory.pause();

        assertTimedOut(order, "timed out waiting for PaymentProcessed of service payment");
        user.awaitSaga(order, "COMPENSATING", "COMPENSATED", "COMPLETED", "PENDING", "PENDING");
        assertThat(ShopUser.expected(user.saga(order))).containsExactly("StockReleased", "PaymentWithdrawn");
        shop.inventory.resume();
        shop.payment.resume();

        assertCompensated(order, tea);
        assertThat(user.payment(order)).isIn("none", "REFUNDED");
    }

    private String newProduct() {
        String tea = shop.newProduct("4.99", 10);
        user.awaitOrder(user.place(tea, 10_000), "CANCELLED"); // the order service has the product
        return tea;
    }

    private void assertTimedOut(String order, String reason) {
        assertThat(user.awaitOrder(order, "CANCELLED").text("reason")).isEqualTo(reason);
        ServiceResponse saga = user.saga(order);
        assertThat(saga.text("reason")).isEqualTo(reason);
        assertThat(saga.text("timedOutAt")).isNotEmpty();
    }

    /** Every step is answered: nothing is reserved, and nothing is captured. */
    private void assertCompensated(String order, String product) {
        await().atMost(ShopUser.TIMEOUT).until(() -> user.saga(order).text("status"), "COMPENSATED"::equals);
        user.awaitStock(product, 10, 0);
        ServiceResponse saga = user.saga(order);
        assertThat(List.copyOf(ShopUser.steps(saga).values()).subList(0, 3))
                .as(saga.body())
                .isSubsetOf("COMPENSATED", "WITHDRAWN");
        assertThat(saga.text("attention")).as(saga.body()).isEmpty();
    }
}
