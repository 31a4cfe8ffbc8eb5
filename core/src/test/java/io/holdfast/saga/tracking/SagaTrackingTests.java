package io.holdfast.saga.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.EventMessage;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaTimedOutEvent;
import io.holdfast.saga.StoredSaga;
import io.holdfast.service.HoldfastService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that tracks its sagas, and a participant, with real threads. */
class SagaTrackingTests {

    private static final String TYPE = "Fulfillment";
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private static final AggregateType<Order> ORDERS = AggregateType.of("orders", Order.class, new Order("NONE"))
            .on(Created.class, (order, event) -> new Order("PENDING"))
            .on(Confirmed.class, (order, event) -> new Order("CONFIRMED"))
            .on(Cancelled.class, (order, event) -> new Order("CANCELLED"))
            .build();

    private static final AggregateType<Stock> STOCK = AggregateType.of("stock", Stock.class, new Stock("NONE"))
            .on(Reserved.class, (stock, event) -> new Stock("RESERVED"))
            .on(Refused.class, (stock, event) -> new Stock("REFUSED"))
            .on(Released.class, (stock, event) -> new Stock("RELEASED"))
            .on(Withdrawn.class, (stock, event) -> new Stock("WITHDRAWN"))
            .build();

    private static final Component CONFIRMING = Component.named("confirming")
            .on(Reserved.class, (event, context) -> decideOrder(context.event().key(), context, new Confirmed()))
            .on(
                    Refused.class,
                    (event, context) -> decideOrder(context.event().key(), context, new Cancelled("refused")))
            .build();

    private static final Component RESERVING = Component.named("reserving")
            .on(
                    Created.class,
                    (event, context) -> context.decide(STOCK, context.event().key(), stock -> stock.reserve(event)))
            .on(
                    Cancelled.class,
                    (event, context) -> context.decide(STOCK, context.event().key(), Stock::undo))
            .build();

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore orderStore = new InMemoryStore("order", clock);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<SagaTimedOutEvent> timeouts = new CopyOnWriteArrayList<>();
    private HoldfastService orders;
    private HoldfastService stock;

    @BeforeEach
    void start() {
        orders = startOrders();
        stock = HoldfastService.named("stock", new InMemoryStore("stock", clock), wire)
                .owns("stock")
                .processor("own", processor -> processor.reads("orders").calls(RESERVING))
                .sagas(SagaTrackingTests::declare)
                .start();
        await().until(() -> wire.directory().size() == 2);
    }

    private HoldfastService startOrders() {
        return HoldfastService.named("order", orderStore, wire)
                .owns("orders")
                .processor("own", processor -> processor.reads("stock").calls(CONFIRMING))
                .sagas(SagaTrackingTests::declare)
                .sagaSettings(SagaSettings.DEFAULT.withDefaultDeadline(DEADLINE))
                .onSagaTimeout(timeouts::add)
                .metrics(metrics)
                .start();
    }

    @AfterEach
    void close() {
        orders.close();
        stock.close();
    }

    private void pauseStock() {
        await().until(() -> stock.processor("own").status().isClaimed());
        stock.processor("own").pause();
        await().until(() -> stock.processor("own").status().paused());
    }

    private static void declare(CompensationRegistry registry) {
        registry.saga(TYPE)
                .streams("orders", "stock")
                .register("Created", "Cancelled", "order")
                .register("Reserved", "Released", "stock")
                .failedBy("Refused")
                .withdrawnBy("Withdrawn")
                .completedBy("Confirmed", "order")
                .cancelBy((saga, decision) -> cancel(saga, decision));
    }

    private static void cancel(SagaState saga, DecisionContext decision) {
        if (decision.state(ORDERS, saga.key()).status().equals("PENDING")) {
            decision.append(ORDERS, saga.key(), new Cancelled(saga.reason()));
        }
    }

    private static void decideOrder(String key, EventContext context, Object event) {
        context.decide(ORDERS, key, order -> order.status().equals("PENDING") ? List.of(event) : List.of());
    }

    private void create(String order, boolean inStock) {
        orders.commands()
                .execute(
                        Command.once(clock).inSaga(TYPE, "saga-" + order),
                        ORDERS,
                        order,
                        state -> List.of(new Created(inStock)));
    }

    private StoredSaga saga(String order) {
        return orders.sagaStates().find("saga-" + order).orElseThrow();
    }

    private void awaitStatus(String order, SagaStatus status) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(saga(order).state().status()).isEqualTo(status));
    }

    /** Counters are raised after the row is visible. */
    private void awaitOne(String counter) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(count(counter)).as(counter).isEqualTo(1));
    }

    private double count(String counter) {
        return metrics.counter("saga." + counter, "sagaType", TYPE).count();
    }

    private List<String> metadata(HoldfastService service, AggregateType<?> type, String key) {
        return service.commands().history(type, key, 0, 10).stream()
                .map(SagaTrackingTests::describe)
                .toList();
    }

    private static String describe(EventMessage event) {
        return event.type() + " " + event.metadata().stepNumber().orElse(-1)
                + (event.metadata().compensating() ? " compensating" : "");
    }

    @Test
    void completesAndIsReadableWhenTheCommandReturns() {
        create("a", true);

        assertThat(saga("a").state().start()).isNotNull();
        awaitStatus("a", SagaStatus.COMPLETED);
        assertThat(metadata(orders, ORDERS, "a")).containsExactly("Created 0", "Confirmed 2");
        assertThat(metadata(stock, STOCK, "a")).containsExactly("Reserved 1");
        awaitOne("started");
        awaitOne("completed");
        assertThat(metrics.get("saga.active").tag("sagaType", TYPE).gauge().value())
                .isZero();
    }

    @Test
    void isCompensatedWhenAStepIsRefused() {
        create("a", false);

        awaitStatus("a", SagaStatus.COMPENSATED);
        assertThat(saga("a").state().reason()).isEqualTo("none left");
        assertThat(metadata(orders, ORDERS, "a")).containsExactly("Created 0", "Cancelled 0 compensating");
        awaitOne("compensated");
        assertThat(count("timedout")).isZero();
    }

    @Test
    void timesOutWhileAParticipantIsPausedAndIsCompensatedWhenItReturns() {
        pauseStock();

        create("a", true);

        awaitStatus("a", SagaStatus.COMPENSATING);
        assertThat(orders.commands().state(ORDERS, "a").status()).isEqualTo("CANCELLED");
        // listeners are notified after the row is visible
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(timeouts).singleElement().satisfies(timeout -> {
                    assertThat(timeout.key()).isEqualTo("a");
                    assertThat(timeout.compensating()).isTrue();
                    assertThat(timeout.reason()).contains("Reserved");
                }));

        stock.processor("own").resume();

        awaitStatus("a", SagaStatus.COMPENSATED);
        assertThat(stock.commands().state(STOCK, "a").status()).isIn("WITHDRAWN", "RELEASED");
        awaitOne("timedout");
        awaitOne("compensated");
    }

    @Test
    void recordsWhatAVersionWithoutTheSagaAppends() {
        pauseStock();
        create("a", true);
        orders.close();
        try (HoldfastService older = HoldfastService.named("order", orderStore, wire)
                .owns("orders")
                .processor("own", processor -> processor.reads("stock").calls(CONFIRMING))
                .start()) {
            stock.processor("own").resume();
            await().until(() -> older.commands().state(ORDERS, "a").status().equals("CONFIRMED"));
        }

        orders = startOrders();

        awaitStatus("a", SagaStatus.COMPLETED);
        assertThat(timeouts).isEmpty();
    }

    /** An order. */
    record Order(String status) {}

    /** The stock of an order. */
    record Stock(String status) {

        List<Object> reserve(Created order) {
            if (!status.equals("NONE")) {
                return List.of();
            }
            return List.of(order.inStock() ? new Reserved() : new Refused("none left"));
        }

        List<Object> undo() {
            return switch (status) {
                case "RESERVED" -> List.of(new Released());
                case "NONE" -> List.of(new Withdrawn());
                default -> List.of();
            };
        }
    }

    record Created(boolean inStock) {}

    record Confirmed() {}

    record Cancelled(String reason) {}

    record Reserved() {}

    record Refused(String reason) {}

    record Released() {}

    record Withdrawn() {}
}
