package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitterStatistics;
import io.holdfast.event.EventMessage;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.inventory.Product;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.examples.shop.order.OrderStatus;
import io.holdfast.examples.shop.order.PlacedOrder;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many callers at once, through log, outbox, wire and processors of all services: the books must balance. */
@Timeout(300)
class ShopBooksTests {

    private static final int ORDERS = 1_000;
    private static final ShoppingPlan PLAN = ShoppingPlan.of(ORDERS, 7);

    private final RunningShop shop = new RunningShop();

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void balanceAfterAThousandConcurrentOrders() throws InterruptedException {
        Books books = shop.run(PLAN, 16, () -> {});

        assertBalanced(books);
    }

    @Test
    void balanceWhenTheWireForgetsAndFailsDuringTheRun() throws InterruptedException {
        Books books = shop.run(PLAN, 16, () -> {
            for (int fault = 1; fault <= 15; fault++) {
                shop.awaitOrderEvents(fault * 60L);
                switch (fault % 3) {
                    case 0 -> shop.wire.restart();
                    case 1 ->
                        List.of("orders", "reservations", "payments").forEach(stream -> shop.wire.loseTail(stream, 50));
                    default -> {
                        shop.wire.disconnect();
                        shop.awaitOrderEvents(fault * 60L + 30);
                        shop.wire.reconnect();
                    }
                }
            }
        });

        assertBalanced(books);
    }

    @Test
    void balanceWhenEveryServiceIsStoppedAndStartedAgainDuringTheRun() throws InterruptedException {
        Books books = shop.run(PLAN, 16, () -> {
            shop.awaitOrderEvents(200);
            shop.restartInventory();
            shop.awaitOrderEvents(400);
            shop.restartOrders();
            shop.awaitOrderEvents(600);
            shop.restartPayments();
            shop.awaitOrderEvents(800);
            shop.restartOrders();
            shop.restartInventory();
        });

        assertBalanced(books);
    }

    @Test
    void oneIdempotencyKeyFromTenThreadsIsOneOrder() throws Exception {
        shop.stock(PLAN);
        ShoppingPlan.PlannedOrder order = PLAN.orders().get(0);

        List<PlacedOrder> answers = atOnce(10, caller -> shop.orders().place("the-key", order.request()));

        assertThat(answers)
                .extracting(PlacedOrder::orderId)
                .hasSize(10)
                .containsOnly(answers.get(0).orderId());
        assertThat(answers)
                .extracting(PlacedOrder::sagaId)
                .containsOnly(answers.get(0).sagaId());
        assertThat(answers).filteredOn(answer -> !answer.duplicate()).hasSize(1);
        assertThat(shop.settledBooks(1).orders()).hasSize(1);
    }

    @Test
    void sixtyFourCallersOnOneProductAllSucceedWithoutDecidingInVain() throws Exception {
        int callers = 64;
        int each = 20;
        int commands = callers * each;
        shop.inventory().addProduct("hot", "Hot product", new BigDecimal("1.00"), commands);
        EventSourcingController controller = shop.inventory().engine().commands();
        CommitterStatistics before = shop.inventory().engine().committerStatistics();

        atOnce(callers, caller -> {
            for (int i = 0; i < each; i++) {
                String order = "order-" + caller + "-" + i;
                controller.execute(
                        Command.once(Clock.systemUTC()), Product.TYPE, "hot", product -> product.allocate(order, 1));
            }
            return caller;
        });

        CommitterStatistics after = shop.inventory().engine().committerStatistics();
        long decided = after.partsDecided() - before.partsDecided();
        long commits = after.commits() - before.commits();
        System.out.printf("hot key: %d commands, %d decisions, %d commits%n", commands, decided, commits);
        assertThat(shop.inventory().product("hot").availableQuantity()).isZero();
        assertThat(controller.history(Product.TYPE, "hot", 0, Integer.MAX_VALUE))
                .extracting(EventMessage::sequence)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, commands + 1).boxed().toList());
        assertThat(decided).isBetween((long) commands, 2L * commands);
    }

    /** The audit says it all; the rest shows that there was something to audit. */
    private static void assertBalanced(Books books) {
        assertThat(Audit.of(books)).isEmpty();
        assertThat(books.gaps()).isEmpty();
        assertThat(books.orders()).hasSize(ORDERS);
        assertThat(books.orders(OrderStatus.PENDING)).isEmpty();
        assertThat(books.orders(OrderStatus.CONFIRMED).count()).isBetween(400L, 900L);
        assertThat(books.orders(OrderStatus.CANCELLED).map(Order::reason))
                .anyMatch(reason -> reason.startsWith("payment of"))
                .anyMatch(reason -> reason.startsWith("not enough stock"));
        assertThat(books.orders(OrderStatus.CONFIRMED))
                .anyMatch(order -> order.lineItems().size() > 1);
        assertThat(books.stock()).hasSize(10).allMatch(stock -> stock.lowestAvailable() >= 0);
        assertThat(books.charges()).extracting(Charge::orderId).doesNotHaveDuplicates();
        assertThat(books.captured()).isEqualTo(books.confirmedTotal()).isPositive();
        System.out.printf(
                "%d events, %d confirmed, %s captured%n",
                books.events(), books.orders(OrderStatus.CONFIRMED).count(), books.captured());
    }

    private static <T> List<T> atOnce(int threads, Call<T> call) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> calls = new ArrayList<>();
            IntStream.range(0, threads)
                    .forEach(caller -> calls.add(() -> {
                        start.await();
                        return call.from(caller);
                    }));
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : executor.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            executor.shutdownNow();
        }
    }

    private interface Call<T> {

        T from(int caller);
    }
}
