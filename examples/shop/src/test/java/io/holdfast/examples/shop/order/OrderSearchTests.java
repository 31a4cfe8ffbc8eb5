package io.holdfast.examples.shop.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Runs the listings on the real engine, with several pages of orders and two customers whose ids share a prefix. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderSearchTests {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final int ORDERS = 1_200;

    private final OrderListing listing = new OrderListing();
    private final HoldfastService service = HoldfastService.named(
                    "order", new InMemoryStore("order", Clock.systemUTC()), new InMemoryWire())
            .owns(Order.STREAM)
            .processor("order-listing", processor -> processor
                    .reads(Order.STREAM)
                    .calls(listing.allOrders().component().build())
                    .calls(listing.customerOrders().component().build()))
            .start();
    private final OrderSearch search = new OrderSearch(service.views());

    /**
     * The oldest order is cancelled, the second oldest confirmed, all others are pending. They are one second apart.
     */
    @BeforeAll
    void place() {
        service.commands().execute(Command.once(Clock.systemUTC()), decision -> IntStream.range(0, ORDERS)
                .forEach(i -> decision.append(
                        Order.TYPE,
                        id(i),
                        new OrderCreated(
                                id(i),
                                i % 2 == 0 ? "c-1" : "c-10",
                                List.of(),
                                OrderTotal.ZERO,
                                OrderTotal.ZERO,
                                BigDecimal.TEN,
                                NOON.plusSeconds(i)))));
        service.commands().execute(Command.once(Clock.systemUTC()), Order.TYPE, id(0), order -> order.cancel("late"));
        service.commands().execute(Command.once(Clock.systemUTC()), Order.TYPE, id(1), Order::confirm);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !search.findAll(OrderSearch.Status.CANCELLED, 1).isEmpty()
                        && !search.findByCustomer("c-1", OrderSearch.Status.CANCELLED, 1)
                                .isEmpty()
                        && !search.findByCustomer("c-10", OrderSearch.Status.CONFIRMED, 1)
                                .isEmpty()
                        && search.findAll(null, 10_000).size() == ORDERS);
    }

    @AfterAll
    void close() {
        service.close();
    }

    @Test
    void returnsNewestFirst() {
        assertThat(search.findAll(null, 3)).extracting(OrderRow::orderId).containsExactly(id(1199), id(1198), id(1197));
        assertThat(search.findByCustomer("c-1", null, 2))
                .extracting(OrderRow::orderId)
                .containsExactly(id(1198), id(1196));
    }

    @Test
    void returnsOrdersOfOneCustomerOnly() {
        assertThat(search.findByCustomer("c-1", null, 10_000)).hasSize(600).allMatch(row -> row.customerId()
                .equals("c-1"));
        assertThat(search.findByCustomer("c", null, 10)).isEmpty();
    }

    @Test
    void findsByStatusAcrossPages() {
        OrderRow cancelled = search.findAll(OrderSearch.Status.CANCELLED, 10).get(0);

        assertThat(cancelled.orderId()).isEqualTo(id(0));
        assertThat(cancelled.reason()).isEqualTo("late");
        assertThat(cancelled.createdAt()).isEqualTo(NOON);
        assertThat(search.findByCustomer("c-10", OrderSearch.Status.CONFIRMED, 10))
                .extracting(OrderRow::orderId)
                .containsExactly(id(1));
        assertThat(search.findByCustomer("c-10", OrderSearch.Status.CANCELLED, 10))
                .isEmpty();
    }

    private static String id(int number) {
        return "o-%04d".formatted(number);
    }
}
