package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.InvalidSettingsException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CompensationRegistryTests {

    private final CompensationRegistry registry = new CompensationRegistry();

    @Test
    void numbersStepsFromZero() {
        Choreography type = OrderFulfillment.TYPE;

        assertThat(type.steps()).extracting(SagaStep::stepNumber).containsExactly(0, 1, 2, 3);
        assertThat(type.steps())
                .extracting(SagaStep::event)
                .containsExactly("OrderCreated", "StockReserved", "PaymentProcessed", "OrderConfirmed");
        assertThat(type.steps().get(3).isCompleting()).isTrue();
        assertThat(type.streams()).containsExactly("orders", "reservations", "payments");
        assertThat(type.services()).containsExactly("order", "inventory", "payment");
        assertThat(type.tracker()).isEqualTo("order");
        assertThat(type.findTimeout()).contains(Duration.ofSeconds(60));
        assertThat(type.eventTypes()).containsExactlyInAnyOrderElementsOf(OrderFulfillment.EVENT_TYPES);
    }

    @Test
    void knowsWhatEachEventMeans() {
        assertThat(meaning("OrderCreated")).isEqualTo("0 DONE false");
        assertThat(meaning("OrderCancelled")).isEqualTo("0 UNDONE true");
        assertThat(meaning("StockReserved")).isEqualTo("1 DONE false");
        assertThat(meaning("StockReservationFailed")).isEqualTo("1 FAILED false");
        assertThat(meaning("StockReleased")).isEqualTo("1 UNDONE true");
        assertThat(meaning("ReservationWithdrawn")).isEqualTo("1 WITHDRAWN true");
        assertThat(meaning("OrderConfirmed")).isEqualTo("3 DONE false");
        assertThat(OrderFulfillment.TYPE.findMeaning("OrderShipped")).isEmpty();
    }

    private static String meaning(String eventType) {
        EventMeaning meaning = OrderFulfillment.TYPE.findMeaning(eventType).orElseThrow();
        return meaning.stepNumber() + " " + meaning.fact() + " " + meaning.compensating();
    }

    @Test
    void findsCompensationsAndServices() {
        Choreography type = OrderFulfillment.TYPE;

        assertThat(type.findCompensation("StockReserved")).contains("StockReleased");
        assertThat(type.findCompensation("OrderConfirmed")).isEmpty();
        assertThat(type.findCompensation("StockReleased")).isEmpty();
        assertThat(type.findService("StockReserved")).contains("inventory");
        assertThat(type.findService("PaymentWithdrawn")).contains("payment");
        assertThat(type.findService("OrderShipped")).isEmpty();
    }

    @Test
    void findsTypesByTracker() {
        OrderFulfillment.declaredIn(registry);
        registry.saga("Return")
                .streams("returns")
                .register("ReturnRequested", "ReturnCancelled", "returns")
                .completedBy("ReturnCompleted", "returns");

        Choreographies types = registry.choreographies();

        assertThat(types.all()).extracting(Choreography::type).containsExactly("OrderFulfillment", "Return");
        assertThat(types.trackedBy("order")).extracting(Choreography::type).containsExactly("OrderFulfillment");
        assertThat(types.trackedBy("payment")).isEmpty();
        assertThat(types.streamsTrackedBy("order")).containsExactly("orders", "reservations", "payments");
        assertThat(types.findMeaning("OrderFulfillment", "PaymentFailed")).isPresent();
        assertThat(types.findMeaning("Return", "PaymentFailed")).isEmpty();
        assertThat(types.findMeaning("Unknown", "PaymentFailed")).isEmpty();
    }

    @Test
    void reportsAllMistakesTogether() {
        registry.saga("Empty");
        registry.saga("Twice")
                .streams("a", " ")
                .register("A", "B", "one")
                .failedBy("F", "F")
                .register("B", "C", "")
                .failedBy("F")
                .completedBy("D", "one")
                .completedBy("E", "one")
                .timeout(Duration.ZERO);
        registry.saga("Twice").streams("a").register("A", "B", "one").completedBy("C", "one");

        assertThat(problems(registry::choreographies))
                .containsExactlyInAnyOrder(
                        "saga type Empty: needs at least one step; add register(…)",
                        "saga type Empty: needs exactly one completedBy(…), but has 0",
                        "saga type Empty: needs the streams of its events; add streams(…)",
                        "saga type Twice: needs exactly one completedBy(…), but has 2",
                        "saga type Twice: has timeout PT0S, but it must be positive",
                        "saga type Twice: a stream must not be blank",
                        "saga type Twice: a service must not be blank",
                        "saga type Twice: declares event type B more than once; give each step and each outcome its own"
                                + " event type",
                        "saga type Twice: declares event type F more than once; give each step and each outcome its own"
                                + " event type",
                        "saga type Twice is declared twice; remove one");
    }

    @Test
    void reportsWhatIsDeclaredInTheWrongPlace() {
        registry.saga("Misplaced")
                .streams("a")
                .failedBy("X")
                .register("A", "B", "one")
                .completedBy("C", "one")
                .withdrawnBy("W")
                .register("D", "E", "one");

        assertThat(problems(registry::choreographies))
                .containsExactly(
                        "saga type Misplaced: failedBy(X) must follow register(…)",
                        "saga type Misplaced: withdrawnBy(W) must follow register(…)",
                        "saga type Misplaced: step D must be declared before completedBy");
    }

    @Test
    void rejectsTypesWhoseTagWouldBeTooLong() {
        registry.saga("x".repeat(201)).streams("a").register("A", "B", "one").completedBy("C", "one");

        assertThat(problems(registry::choreographies))
                .singleElement()
                .asString()
                .endsWith("its type must have at most 200 characters");
    }

    @Test
    void requiresTheLocalCompensationOnlyInTheServiceOfStepZero() {
        registry.saga("Order")
                .streams("orders", "stock")
                .register("A", "B", "order")
                .register("C", "D", "inventory")
                .completedBy("E", "order");

        assertThat(problems(() -> registry.validate("order", Set.of("orders"))))
                .containsExactly("saga type Order: service order tracks it and needs its local compensation; add"
                        + " cancelBy(…)");
        assertThatCode(() -> registry.validate("inventory", Set.of("stock"))).doesNotThrowAnyException();
        assertThatCode(() -> registry.validate("unrelated", Set.of())).doesNotThrowAnyException();
    }

    @Test
    void requiresThatAParticipantOwnsAStream() {
        OrderFulfillment.declaredIn(registry);

        assertThatCode(() -> registry.validate("order", Set.of("orders"))).doesNotThrowAnyException();
        assertThat(problems(() -> registry.validate("payment", Set.of("invoices"))))
                .containsExactly(
                        "saga type OrderFulfillment: service payment appends events of this saga, but owns none"
                                + " of its streams [orders, reservations, payments]; add the stream with owns(…), or to"
                                + " streams(…)");
    }

    private static List<String> problems(ThrowingCallable call) {
        return catchThrowableOfType(InvalidSettingsException.class, call).problems();
    }
}
