package io.holdfast.docs;

import static io.holdfast.saga.SagaStatus.COMPENSATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.fixture.SagaScenario;
import io.holdfast.fixture.Scenario;
import io.holdfast.handling.Component;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaDiagrams;
import io.holdfast.saga.SagaEvent;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.orchestration.SagaDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The code and the diagrams of docs/concepts/sagas.md, and the section on sagas of docs/guides/testing.md. */
class SagaConceptTests {

    private static final Pattern DIAGRAM =
            Pattern.compile("<!-- diagram: ([a-z ]+) -->\\n```mermaid\\n(.*?)```", Pattern.DOTALL);

    private final CompensationRegistry registry = new CompensationRegistry();

    @BeforeEach
    void declare() {
        registry.saga("OrderFulfillment")
                .streams("orders", "reservations", "payments")
                .register("OrderCreated", "OrderCancelled", "order") // step 0: forward event, compensation, service
                .register("StockReserved", "StockReleased", "inventory")
                .failedBy("StockReservationFailed")
                .withdrawnBy("ReservationWithdrawn")
                .register("PaymentProcessed", "PaymentRefunded", "payment")
                .failedBy("PaymentFailed")
                .withdrawnBy("PaymentWithdrawn")
                .completedBy("OrderConfirmed", "order") // step 3, never undone
                .cancelBy((saga, decision) -> OrderCancellation.cancel(saga.key(), saga.reason(), decision));
    }

    @Test
    void diagramsAreWhatTheCodeDraws() throws IOException {
        Map<String, String> shown = new LinkedHashMap<>();
        DIAGRAM.matcher(Files.readString(Path.of("../docs/concepts/sagas.md")))
                .results()
                .forEach(found -> shown.put(found.group(1), found.group(2)));

        assertThat(shown)
                .isEqualTo(Map.of(
                        "type", SagaDiagrams.ofType(type()),
                        "definition", definition().diagram(),
                        "compensated run", SagaDiagrams.ofRun(compensated())));
    }

    @Test
    void compensatesInAnyOrder() {
        SagaScenario.tracking(registry, "OrderFulfillment")
                .whenInAnyOrder("OrderCreated", "StockReserved", "PaymentFailed", "StockReleased", "OrderCancelled")
                .thenStatus(COMPENSATED);
    }

    @Test
    void undoesInAnyOrder() {
        Scenario.givenNothing()
                .thenUndone(PAYMENTS, new Charge("o-1"), new Refund("o-1"))
                .thenState(PAYMENT, "o-1", new Payment(true, 0));
    }

    private static SagaDefinition<?> definition() {
        return OrchestratedSagasTests.checkout(
                new OrchestratedSagasTests.FraudClient(), new OrchestratedSagasTests.CarrierClient());
    }

    private Choreography type() {
        return registry.choreographies().find("OrderFulfillment").orElseThrow();
    }

    private SagaState compensated() {
        SagaState saga = null;
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        for (String event :
                List.of("OrderCreated", "StockReserved", "PaymentFailed", "OrderCancelled", "StockReleased")) {
            SagaEvent next = new SagaEvent("saga-o-1", event, new UUID(0, 0), "o-1", null, at, null);
            saga = type().record(saga, next, Duration.ofSeconds(60));
            at = at.plusMillis(12);
        }
        return Objects.requireNonNull(saga);
    }

    private static final AggregateType<Payment> PAYMENT = AggregateType.of(
                    "payments", Payment.class, new Payment(false, 0))
            .on(Charged.class, (payment, event) -> new Payment(false, 1))
            .on(Refunded.class, (payment, event) -> new Payment(true, 0))
            .on(Withdrawn.class, (payment, event) -> new Payment(true, 0))
            .build();

    private static final Component PAYMENTS = Component.named("payments")
            .on(
                    Charge.class,
                    (event, context) -> context.decide(decision -> {
                        Payment payment = decision.state(PAYMENT, event.orderId());
                        if (!payment.closed() && payment.charged() == 0) {
                            decision.append(PAYMENT, event.orderId(), new Charged());
                        }
                    }))
            .on(
                    Refund.class,
                    (event, context) -> context.decide(decision -> {
                        Payment payment = decision.state(PAYMENT, event.orderId());
                        if (!payment.closed()) {
                            decision.append(
                                    PAYMENT,
                                    event.orderId(),
                                    payment.charged() == 0 ? new Withdrawn() : new Refunded());
                        }
                    }))
            .build();

    record Payment(boolean closed, int charged) {}

    record Charge(String orderId) {}

    record Refund(String orderId) {}

    record Charged() {}

    record Refunded() {}

    record Withdrawn() {}

    /** The business decision that the declaration refers to. */
    private static final class OrderCancellation {

        static void cancel(String orderId, String reason, DecisionContext decision) {
            throw new UnsupportedOperationException("not called: " + orderId + ", " + reason + ", " + decision);
        }
    }
}
