package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.fixture.ManualClock;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.view.View;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServiceDeadlinesTests {

    private static final Duration DAY = Duration.ofHours(24);
    private static final Duration GENEROUS = Duration.ofSeconds(60);

    private static final AggregateType<Created> ORDERS = AggregateType.of("orders", Created.class, new Created(""))
            .on(Created.class, (last, created) -> created)
            .build();
    private static final View<Count> REMINDED = new View<>("reminded", Count.class);

    /** Schedules a reminder for every order. */
    private static final Component SCHEDULING = Component.named("scheduling")
            .on(
                    Created.class,
                    (created, context) -> context.decide(decision ->
                            decision.schedule("handler", created.order(), DAY, new ReminderDue(created.order()))))
            .build();

    private static final Component REMINDING = Component.named("reminding")
            .on(
                    ReminderDue.class,
                    (due, context) ->
                            context.update(REMINDED, due.order(), row -> new Count(row == null ? 1 : row.number() + 1)))
            .build();

    private final ManualClock clock = new ManualClock();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore store = new InMemoryStore("order", clock);

    private HoldfastService service(Clock serviceClock) {
        return HoldfastService.named("order", store, wire)
                .clock(serviceClock)
                .owns("orders")
                .processor("scheduling", processor -> processor.reads("orders").calls(SCHEDULING))
                .processor(
                        "reminding",
                        processor -> processor.reads("order.deadlines").calls(REMINDING))
                .start();
    }

    private void create(HoldfastService service, String order) {
        service.commands().execute(Command.once(clock), decision -> {
            decision.append(ORDERS, order, new Created(order));
            decision.schedule("command", order, DAY, new ReminderDue(order));
        });
    }

    private void awaitScheduled(int deadlines) {
        await().atMost(GENEROUS)
                .until(() -> store.viewStore().page("deadlines", "", 100).size() == deadlines);
    }

    /** Lets time pass meanwhile: leases expire, and attempts that failed are repeated. */
    private void awaitReminded(HoldfastService service, String order, int times) {
        await().atMost(GENEROUS).untilAsserted(() -> {
            clock.advance(Duration.ofMillis(100));
            assertThat(service.views().find(REMINDED, order)).contains(new Count(times));
        });
    }

    @Test
    void handlersAndCommandsScheduleEventsThatComponentsHandle() {
        try (HoldfastService service = service(clock)) {
            create(service, "o-1");
            awaitScheduled(2);

            clock.advance(DAY);

            awaitReminded(service, "o-1", 2);
            assertThat(store.eventLog().readStream("order.deadlines", 0, 10)).hasSize(2);
        }
    }

    @Test
    void deadlinesFireAfterARestart() {
        try (HoldfastService service = service(clock)) {
            create(service, "o-1");
            awaitScheduled(2);
        }
        clock.advance(DAY);
        assertThat(store.eventLog().readStream("order.deadlines", 0, 10)).isEmpty();

        try (HoldfastService service = service(clock)) {
            awaitReminded(service, "o-1", 2);
        }
    }

    @Test
    void twoReplicasFireEachDeadlineOnce() {
        try (HoldfastService one = service(clock);
                HoldfastService two = service(clock)) {
            for (int order = 0; order < 10; order++) {
                create(order % 2 == 0 ? one : two, "o-" + order);
            }
            awaitScheduled(20);

            clock.advance(DAY);

            for (int order = 0; order < 10; order++) {
                awaitReminded(one, "o-" + order, 2);
            }
            assertThat(store.eventLog().readStream("order.deadlines", 0, 100)).hasSize(20);
        }
    }

    @Test
    void anotherReplicaContinuesWhenOneStops() {
        HoldfastService one = service(clock);
        try (HoldfastService two = service(clock)) {
            create(one, "o-1");
            awaitScheduled(2);
            one.close();

            clock.advance(DAY);

            awaitReminded(two, "o-1", 2);
        } finally {
            one.close();
        }
    }

    @Test
    void shortDelaysFire() {
        InMemoryStore real = new InMemoryStore("order", Clock.systemUTC());
        try (HoldfastService service = HoldfastService.named("order", real, wire)
                .processor(
                        "reminding",
                        processor -> processor.reads("order.deadlines").calls(REMINDING))
                .start()) {
            service.commands()
                    .execute(
                            Command.once(Clock.systemUTC()),
                            decision -> decision.schedule(
                                    "reminder", "o-1", Duration.ofMillis(50), new ReminderDue("o-1")));

            awaitReminded(service, "o-1", 1);
        }
    }

    record Created(String order) {}

    record ReminderDue(String order) {}

    record Count(int number) {}
}
