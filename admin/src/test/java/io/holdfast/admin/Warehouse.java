package io.holdfast.admin;

import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.service.HoldfastService;
import io.holdfast.view.View;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A service whose components fail on demand and count their effects. */
public final class Warehouse {

    public record ItemOrdered(String item, BigDecimal price) {}

    public record Order(int items) {}

    /** Counts how often each item took effect. */
    public record Shelf(Map<String, Integer> items) {

        Shelf with(String item) {
            Map<String, Integer> more = new ConcurrentHashMap<>(items);
            more.merge(item, 1, Integer::sum);
            return new Shelf(more);
        }
    }

    public static final AggregateType<Order> ORDER = AggregateType.of("orders", Order.class, new Order(0))
            .on(ItemOrdered.class, (order, event) -> new Order(order.items() + 1))
            .build();

    public static final View<Shelf> PACKED = new View<>("packed", Shelf.class);
    public static final View<Shelf> LABELLED = new View<>("labelled", Shelf.class);

    /** Blocks a handler until the test opens it. */
    public static final class Gate {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch opened = new CountDownLatch(1);

        public void awaitEntered() throws InterruptedException {
            if (!entered.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no handler reached the gate");
            }
        }

        public void open() {
            opened.countDown();
        }
    }

    /** Non-retryable: needs an operator. */
    public static final class BrokenItemException extends RuntimeException implements NonRetryableException {

        private final String item;

        BrokenItemException(String item) {
            super("cannot pack " + item, new IllegalArgumentException("no box fits " + item));
            this.item = item;
        }
    }

    /** Items that cannot be packed until an operator has fixed the cause. */
    public final Set<String> broken = ConcurrentHashMap.newKeySet();

    /** Items whose packing fails with a retryable exception. */
    public final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** Items that the policy evicts when they fail again. */
    public final Set<String> evicted = ConcurrentHashMap.newKeySet();

    private final Map<String, Gate> gates = new ConcurrentHashMap<>();

    /** Packs items. */
    public final class Packing {

        @EventHandler
        void on(ItemOrdered event, EventMessage message, EventContext context) throws InterruptedException {
            Gate gate = gates.get(event.item());
            if (gate != null) {
                gate.entered.countDown();
                if (!gate.opened.await(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate was not opened");
                }
            }
            if (broken.contains(event.item()) || evicted.contains(event.item())) {
                throw new BrokenItemException(event.item());
            }
            if (failing.contains(event.item())) {
                throw new IllegalStateException("no tape for " + event.item());
            }
            context.update(PACKED, message.key(), shelf -> put(shelf, event.item()));
        }
    }

    /** Labels items. Fails only through fault injection. */
    public static final class Labelling {

        @EventHandler
        void on(ItemOrdered event, EventMessage message, EventContext context) {
            context.update(LABELLED, message.key(), shelf -> put(shelf, event.item()));
        }
    }

    private static Shelf put(@Nullable Shelf shelf, String item) {
        return (shelf == null ? new Shelf(Map.of()) : shelf).with(item);
    }

    /** Blocks the handler of this item from now on. */
    public Gate closeGate(String item) {
        Gate gate = new Gate();
        gates.put(item, gate);
        return gate;
    }

    public EnqueueDecision decide(DeadLetter letter, Throwable cause) {
        boolean isEvicted =
                letter.cause() != null && cause instanceof BrokenItemException it && evicted.contains(it.item);
        return isEvicted ? Decisions.evict() : Decisions.enqueue(cause);
    }

    /** Orders items, in this order. */
    public static void order(HoldfastService service, String key, String... items) {
        Metadata saga = Metadata.none().withSaga("Fulfilment", "saga-" + key).withCorrelationId("correlation-" + key);
        List<ItemOrdered> events = Arrays.stream(items)
                .map(item -> new ItemOrdered(item, new BigDecimal("12345678901234567890.10")))
                .toList();
        var unused =
                service.commands().execute(Command.once(Clock.systemUTC()).with(saga), ORDER, key, order -> events);
    }

    /** Returns how often an item of an order took effect. */
    public static int packed(HoldfastService service, String key, String item) {
        return service.views()
                .find(PACKED, key)
                .map(shelf -> shelf.items().getOrDefault(item, 0))
                .orElse(0);
    }

    /** Maximum time that a test waits. */
    public static final Duration AWAIT_TIMEOUT = Duration.ofSeconds(20);
}
