package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.jdbc.Copies.Placed;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.service.HoldfastService;
import io.holdfast.view.View;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All segments of two replicas increment one row of a view: in one batch, in several, and concurrently. */
class SharedCounterTests {

    private static final View<Total> TOTALS = new View<>("totals", Total.class);
    private static final int CUSTOMERS = 100;
    private static final int ORDERS = 20;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void losesAndDuplicatesNoUpdate(Dialect dialect) {
        TestDatabase database = TestDatabase.acquire(dialect);
        try (JdbcStore store = JdbcStore.in("counting", database.dataSource()).open();
                HoldfastService one = start(store, "one");
                HoldfastService other = start(store, "other")) {
            await().atMost(Duration.ofSeconds(60)).until(() -> claimed(one) == 8 && claimed(other) == 8);

            for (int round = 1; round <= ORDERS; round++) {
                int number = round;
                one.commands().execute(Command.once(Clock.systemUTC()), context -> {
                    for (int customer = 0; customer < CUSTOMERS; customer++) {
                        context.append(Copies.ORDERS, "customer-" + customer, new Placed(number));
                    }
                });
            }

            await().atMost(Duration.ofSeconds(60)).until(() -> total(one).orders() >= CUSTOMERS * ORDERS);
            assertThat(total(one)).isEqualTo(new Total(CUSTOMERS * ORDERS));
            assertThat(one.committerStatistics().units()).as("units of one").isPositive();
            assertThat(other.committerStatistics().units())
                    .as("units of the other")
                    .isPositive();
        }
        database.release();
    }

    private static HoldfastService start(JdbcStore store, String replica) {
        Component counter = Component.named("counter")
                .on(
                        Placed.class,
                        (order, context) -> context.update(
                                TOTALS, "all", total -> new Total(total == null ? 1 : total.orders() + 1)))
                .build();
        return HoldfastService.named("counting", store, new InMemoryWire())
                .owns(Copies.ORDERS.stream())
                .replica(replica)
                .processor("counting", processor -> processor
                        .reads(Copies.ORDERS.stream())
                        .calls(counter)
                        .settings(ProcessorSettings.DEFAULT.lease(Duration.ofSeconds(3))))
                .start();
    }

    private static long claimed(HoldfastService service) {
        EventProcessor processor = service.processor("counting");
        List<SegmentStatus> segments = processor.status().segments();
        return segments.stream().filter(SegmentStatus::claimed).count();
    }

    private static Total total(HoldfastService service) {
        return service.views().find(TOTALS, "all").orElse(new Total(0));
    }

    /** The number of orders. */
    record Total(int orders) {}
}
