package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.START;
import static io.holdfast.saga.OrderFulfillment.after;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SagaDiagramsTests {

    @Test
    void drawsAType() {
        assertThat(SagaDiagrams.ofType(OrderFulfillment.TYPE))
                .isEqualTo(
                        """
                stateDiagram-v2
                    state "0 OrderCreated (order)" as step0
                    state "1 StockReserved (inventory)" as step1
                    state "2 PaymentProcessed (payment)" as step2
                    state "3 OrderConfirmed (order)" as step3
                    [*] --> step0
                    step0 --> step1
                    step1 --> step2
                    step2 --> step3
                    step3 --> [*] : COMPLETED
                    step0 --> COMPENSATING : StockReservationFailed
                    step1 --> COMPENSATING : PaymentFailed
                    step0 --> COMPENSATING : OrderCancelled or timeout
                    step1 --> COMPENSATING : OrderCancelled or timeout
                    step2 --> COMPENSATING : OrderCancelled or timeout
                    state COMPENSATING {
                        state "OrderCancelled (order)" as undo0
                        --
                        state "StockReleased or ReservationWithdrawn (inventory)" as undo1
                        --
                        state "PaymentRefunded or PaymentWithdrawn (payment)" as undo2
                    }
                    COMPENSATING --> [*] : COMPENSATED
                """);
    }

    @Test
    void drawsARun() {
        SagaState saga = after("StockReserved", "OrderCreated", "PaymentFailed", "OrderCancelled");

        assertThat(SagaDiagrams.ofRun(saga))
                .isEqualTo(
                        """
                sequenceDiagram
                    participant service0 as order
                    participant service1 as inventory
                    participant service2 as payment
                    service0->>service1: OrderCreated (+0 ms)
                    service1->>service2: StockReserved (+1000 ms)
                    service2-xservice0: PaymentFailed (+4000 ms)
                    service0-->>service1: OrderCancelled (+6000 ms)
                    service0-->>service2: OrderCancelled (+6000 ms)
                    Note over service0: status COMPENSATING
                    Note over service1: awaiting StockReleased
                """);
    }

    @Test
    void drawsWhatOperatorsAndTheEngineDecided() {
        SagaState saga = after("OrderCreated", "OrderCancelled", "PaymentWithdrawn")
                .timedOut(START.plusSeconds(20))
                .skipped("StockReserved", START.plusSeconds(30), "by hand");

        assertThat(SagaDiagrams.ofRun(saga.flagged("look")))
                .contains(
                        "    service2-->>service0: PaymentWithdrawn (+8000 ms)\n",
                        "    Note over service0: deadline passed, timed out (+20000 ms)\n",
                        "    Note over service0: skipped StockReserved, by hand (+30000 ms)\n")
                .endsWith("    Note over service0: status COMPENSATED\n    Note over service0: attention#58; look\n");
        assertThat(SagaDiagrams.ofRun(
                        after("OrderCreated").cancelRequested(START, null).gaveUp(START.plusMillis(5), "why")))
                .contains("Note over service0: compensation requested (+0 ms)")
                .contains("Note over service0: given up, why (+5 ms)");
    }

    @Test
    void escapesNames() {
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga("Odd")
                .streams("odd")
                .register("A\"; end", "B:C", "x --> y")
                .completedBy("Done#1", "end");
        Choreography type = registry.choreographies().find("Odd").orElseThrow();
        SagaEvent event = new SagaEvent("s", "A\"; end", OrderFulfillment.idOf("a"), "k", null, START, null);

        assertThat(SagaDiagrams.ofType(type))
                .contains("state \"0 A#34;#59; #101;nd (x --#62; y)\" as step0")
                .contains("step0 --> COMPENSATING : B#58;C or timeout")
                .contains("state \"1 Done#35;1 (#101;nd)\" as step1");
        assertThat(SagaDiagrams.ofRun(Objects.requireNonNull(type.record(null, event, Duration.ofDays(1)))))
                .contains("participant service0 as x --#62; y")
                .contains("service0->>service1: A#34;#59; #101;nd (+0 ms)");
    }
}
