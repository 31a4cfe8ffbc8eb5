package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.fixture.ManualClock;
import io.holdfast.fixture.Scenario;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Quoted by docs/guides/deadlines-and-reminders.md; DocumentationTests compares the two. */
class DeadlinesTests {

    record OrderCreated(String orderId) {}

    record OrderPaid(String orderId) {}

    record ReminderDue(String orderId) {}

    record Order() {}

    static final AggregateType<Order> ORDER = AggregateType.of("orders", Order.class, new Order())
            .on(OrderCreated.class, (order, event) -> order)
            .build();

    static final class Scheduling {

        @EventHandler
        void on(OrderCreated order, EventContext context) {
            context.decide(decision -> decision.schedule(
                    "reminder", order.orderId(), Duration.ofHours(24), new ReminderDue(order.orderId())));
        }

        @EventHandler
        void on(OrderPaid order, EventContext context) {
            context.decide(decision -> decision.cancel("reminder", order.orderId()));
        }
    }

    static final class Reminders {

        private final List<String> sent = new CopyOnWriteArrayList<>();

        @EventHandler
        void on(ReminderDue due) {
            sent.add(due.orderId());
        }
    }

    private final Component scheduling =
            Component.of("scheduling", new Scheduling()).build();

    @Test
    void fires() {
        ManualClock clock = new ManualClock();
        InMemoryStore store = new InMemoryStore("order", clock);
        Reminders reminders = new Reminders();
        try (HoldfastService service = HoldfastService.named("order", store, new InMemoryWire())
                .clock(clock)
                .owns("orders")
                .processor("scheduling", processor -> processor.reads("orders").calls(scheduling))
                .processor("reminders", processor -> processor
                        .reads("order.deadlines")
                        .calls(Component.of("reminders", reminders).build()))
                .start()) {
            service.commands().execute(Command.once(clock), ORDER, "o-1", order -> List.of(new OrderCreated("o-1")));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> store.viewStore().findNextDue("deadlines").isPresent());

            clock.advance(Duration.ofHours(24));

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                clock.advance(Duration.ofMillis(100));
                assertThat(reminders.sent).containsExactly("o-1");
            });
        }
    }

    @Test
    void isTestedWithAScenario() {
        Scenario.givenNothing()
                .when(scheduling, "orders", "o-1", new OrderCreated("o-1"))
                .thenScheduled("reminder", "o-1", Duration.ofHours(24), new ReminderDue("o-1"));
    }

    @Test
    void isTestedWithAScenarioThatCancels() {
        Scenario.givenNothing()
                .when(scheduling, "orders", "o-1", new OrderPaid("o-1"))
                .thenNothing()
                .thenCancelled("reminder", "o-1");
    }
}
