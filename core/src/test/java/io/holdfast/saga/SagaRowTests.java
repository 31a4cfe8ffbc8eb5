package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.START;
import static io.holdfast.saga.OrderFulfillment.after;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the stored JSON. Renaming a property loses data of running sagas: add new properties instead. */
class SagaRowTests {

    private final PayloadCodec codec = new PayloadCodec();

    @Test
    void hasAStableForm() {
        SagaState saga = after("OrderCreated", "StockReserved")
                .suspended(List.of("payment/payments/o-1"), START.plusSeconds(60))
                .flagged("look at it");

        assertThat(codec.encode(saga).json())
                .isEqualTo(
                        """
                {"sagaId":"saga-o-1","sagaType":"OrderFulfillment","service":"order",\
                "start":{"key":"o-1","correlationId":"c-1","at":"2026-01-01T00:00:00Z"},\
                "deadline":{"at":"2026-01-01T00:01:00Z",\
                "suspended":{"since":"2026-01-01T00:01:00Z","letters":["payment/payments/o-1"],\
                "lastAnswer":"2026-01-01T00:01:00Z","recheckAt":"2026-01-01T00:01:15Z","rechecks":0}},\
                "steps":{\
                "OrderConfirmed":{"stepNumber":3,"service":"order","completing":true},\
                "OrderCreated":{"stepNumber":0,"service":"order","compensation":"OrderCancelled",\
                "done":{"eventId":"%s","at":"2026-01-01T00:00:00Z"}},\
                "PaymentProcessed":{"stepNumber":2,"service":"payment",\
                "compensation":"PaymentRefunded","withdrawals":["PaymentWithdrawn"]},\
                "StockReserved":{"stepNumber":1,"service":"inventory",\
                "compensation":"StockReleased","withdrawals":["ReservationWithdrawn"],\
                "done":{"eventId":"%s","at":"2026-01-01T00:00:01Z"}}},\
                "milestones":{},"attention":"look at it"}"""
                                .formatted(
                                        OrderFulfillment.idOf("OrderCreated"), OrderFulfillment.idOf("StockReserved")));
    }

    @Test
    void hasAStableFormAfterTheEnd() {
        SagaState saga = after("OrderCreated", "OrderCancelled", "StockReservationFailed", "PaymentWithdrawn")
                .skipped("StockReserved", START, "why");

        assertThat(codec.encode(saga).json())
                .contains("\"undone\":{\"eventId\":\"" + OrderFulfillment.idOf("OrderCancelled"))
                .contains("\"failed\":{\"eventType\":\"StockReservationFailed\"")
                .contains("\"reason\":\"StockReservationFailed for a reason\"")
                .contains("\"withdrawn\":{\"eventId\":\"" + OrderFulfillment.idOf("PaymentWithdrawn"))
                .contains("\"skipped\":{\"at\":\"2026-01-01T00:00:00Z\",\"reason\":\"why\"}")
                .endsWith("\"milestones\":{\"compensated\":true}}");
        assertThat(codec.encode(after("OrderCreated")
                                .timedOut(START)
                                .cancelRequested(START, "r")
                                .gaveUp(START, "g"))
                        .json())
                .endsWith("\"milestones\":{\"timedOut\":{\"at\":\"2026-01-01T00:00:00Z\","
                        + "\"reason\":\"timed out waiting for StockReserved of service inventory\"},"
                        + "\"cancelRequested\":{\"at\":\"2026-01-01T00:00:00Z\",\"reason\":\"r\"},"
                        + "\"gaveUp\":{\"at\":\"2026-01-01T00:00:00Z\",\"reason\":\"g\"}}}");
        assertThat(codec.encode(after("OrderCreated", "OrderConfirmed")).json())
                .contains("\"milestones\":{\"completed\":{\"eventType\":\"OrderConfirmed\"");
        assertThat(codec.encode(after("OrderCreated").notCancelled(START)).json())
                .contains("\"recheckAt\":\"2026-01-01T00:00:00Z\",\"judgements\":1");
    }

    @Test
    void isReadAsItWasWritten() {
        for (SagaState saga : List.of(
                after("StockReserved"),
                after("OrderCreated", "StockReserved")
                        .suspended(List.of("b", "a"), START)
                        .flagged("x"),
                after("OrderCreated", "OrderCancelled").timedOut(START).gaveUp(START, null),
                after("OrderCreated", "StockReserved", "PaymentProcessed", "OrderConfirmed"))) {
            assertThat(codec.decode(codec.encode(saga), SagaState.class)).isEqualTo(saga);
        }
    }

    @Test
    void readsTheFormThatNamesEverything() {
        String json =
                """
                {"sagaId":"saga-o-1","sagaType":"OrderFulfillment","kind":"CHOREOGRAPHED","service":"order",\
                "start":{"key":"o-1","correlationId":"c-1","at":"2026-01-01T00:00:00Z"},\
                "deadline":{"at":"2026-01-01T00:01:00Z","judgements":0},\
                "steps":{\
                "OrderConfirmed":{"stepNumber":3,"name":"OrderConfirmed","service":"order","withdrawals":[],\
                "completing":true,"attempts":0},\
                "OrderCreated":{"stepNumber":0,"name":"OrderCreated","service":"order",\
                "compensation":"OrderCancelled","withdrawals":[],"completing":false,"attempts":0,\
                "done":{"eventType":"OrderCreated","eventId":"%s","at":"2026-01-01T00:00:00Z"}},\
                "PaymentProcessed":{"stepNumber":2,"name":"PaymentProcessed","service":"payment",\
                "compensation":"PaymentRefunded","withdrawals":["PaymentWithdrawn"],"completing":false,"attempts":0},\
                "StockReserved":{"stepNumber":1,"name":"StockReserved","service":"inventory",\
                "compensation":"StockReleased","withdrawals":["ReservationWithdrawn"],"completing":false,"attempts":0}},\
                "milestones":{"compensated":false}}"""
                        .formatted(OrderFulfillment.idOf("OrderCreated"));

        assertThat(codec.decode(new Payload("SagaState", 1, json), SagaState.class))
                .isEqualTo(after("OrderCreated"));
    }

    @Test
    void keepsPropertiesOfANewerVersion() {
        String json = codec.encode(after("OrderCreated")).json();
        Payload newer = new Payload(
                "SagaState",
                1,
                json.replace("\"stepNumber\":1,", "\"stepNumber\":1,\"newInStep\":1,")
                        .replace("\"milestones\":{", "\"newInSaga\":2,\"milestones\":{\"newMilestone\":3"));

        PayloadCodec.Decoded<SagaState> decoded = codec.decodeForUpdate(newer, SagaState.class, "row");
        SagaState changed = OrderFulfillment.record(decoded.value(), "StockReserved");
        String written = codec.encode(changed, decoded).payload().json();

        assertThat(written).contains("\"newInStep\":1", "\"newInSaga\":2", "\"newMilestone\":3");
        assertThat(codec.decode(new Payload("SagaState", 1, written), SagaState.class))
                .isEqualTo(after("OrderCreated", "StockReserved"));
    }
}
