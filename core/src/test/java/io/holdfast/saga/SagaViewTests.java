package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.after;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.view.View;
import org.junit.jupiter.api.Test;

class SagaViewTests {

    private final View<SagaState> view = SagaView.of(SagaSettings.DEFAULT);

    @Test
    void cachesSagasThatAreOpen() {
        assertThat(view.caches(after("StockReserved"))).isTrue();
        assertThat(view.caches(after("OrderCreated", "StockReserved"))).isTrue();
        assertThat(view.caches(after("OrderCreated", "StockReserved", "OrderCancelled")))
                .isTrue();
    }

    @Test
    void cachesACompletedSagaUntilItsOtherStepsAreRecorded() {
        assertThat(view.caches(after("OrderCreated", "OrderConfirmed"))).isTrue();
        assertThat(view.caches(after("OrderCreated", "OrderConfirmed", "StockReserved")))
                .isTrue();
        assertThat(view.caches(after("OrderCreated", "OrderConfirmed", "StockReserved", "PaymentProcessed")))
                .isFalse();
    }

    @Test
    void doesNotCacheSagasThatAreCompensated() {
        assertThat(view.caches(after("OrderCreated", "StockReservationFailed", "OrderCancelled", "PaymentWithdrawn")))
                .isFalse();
    }
}
