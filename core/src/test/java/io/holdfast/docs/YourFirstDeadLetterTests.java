package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.view.View;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Quoted by docs/guides/your-first-dead-letter.md, which also shows its output. Tests compare both. */
class YourFirstDeadLetterTests {

    record OrderPlaced(String product) {}

    record OrderPaid(int amount) {}

    record CustomerGreeted() {}

    record Order(boolean placed) {}

    record Parcel(String product, boolean paid, String note) {}

    static final AggregateType<Order> ORDER = AggregateType.of("orders", Order.class, new Order(false))
            .on(OrderPlaced.class, (order, event) -> new Order(true))
            .on(OrderPaid.class, (order, event) -> order)
            .on(CustomerGreeted.class, (order, event) -> order)
            .build();

    static final View<Parcel> PARCELS = new View<>("parcels", Parcel.class);

    static final class UnknownProduct extends RuntimeException implements NonRetryableException {
        UnknownProduct(String product) {
            super("product " + product + " is not in the catalogue");
        }
    }

    static final class Packing {

        private final Set<String> catalogue;

        Packing(Set<String> catalogue) {
            this.catalogue = catalogue;
        }

        @EventHandler
        void on(OrderPlaced event, EventMessage message, EventContext context, @Nullable DeadLetter letter) {
            if (!catalogue.contains(event.product())) {
                throw new UnknownProduct(event.product());
            }
            String note = letter == null
                    ? "never parked"
                    : "failed " + letter.attempts().size() + " times";
            context.update(PARCELS, message.key(), parcel -> new Parcel(event.product(), false, note));
        }

        @EventHandler
        void on(OrderPaid event, EventMessage message, EventContext context) {
            context.update(
                    PARCELS,
                    message.key(),
                    parcel -> parcel == null ? null : new Parcel(parcel.product(), true, parcel.note()));
        }

        @EventHandler("CustomerGreeted")
        void greet() {
            if (!catalogue.contains("card")) {
                throw new IllegalStateException("no cards left to print on");
            }
        }
    }

    static EnqueueDecision decide(DeadLetter letter, Throwable cause) {
        if (letter.message().type().equals("CustomerGreeted")) {
            return Decisions.doNotEnqueue();
        }
        return Decisions.requeue(
                cause, parked -> Map.of("team", cause instanceof UnknownProduct ? "purchasing" : "development"));
    }

    private static final Path GUIDE = Path.of("../docs/guides/your-first-dead-letter.md");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final PrintedBlocks printed = new PrintedBlocks();
    private final Clock clock = Clock.systemUTC();
    private final Set<String> catalogue = ConcurrentHashMap.newKeySet();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> changes = new CopyOnWriteArrayList<>();

    private HoldfastServiceBuilder shop() {
        return HoldfastService.named("shop", new InMemoryStore("shop", clock), new InMemoryWire())
                .replica("shop-1")
                .metrics(meters)
                .deadLetterListener(change -> changes.add(change.kind() + ", letters: " + change.letters()))
                .owns("orders");
    }

    private void append(HoldfastService shop, String order, Object... events) {
        shop.commands().execute(Command.once(clock), ORDER, order, state -> List.of(events));
    }

    private static void waitUntil(Callable<Boolean> condition) {
        await().atMost(TIMEOUT).until(condition);
    }

    @Test
    void printsWhatTheGuideShows() throws IOException {
        catalogue.add("apple");
        try (HoldfastService shop = shop().processor("shipping", processor -> processor
                        .reads("orders")
                        .calls(Component.of("packing", new Packing(catalogue)).build()))
                .start()) {
            failOneEvent(shop);
            listLetters(shop.deadLetterQueue("shipping", "packing"));
            repair(shop);
            watch();
            processOne(shop);
            processMany(shop);
            discard(shop);
        }
        try (HoldfastService shop = shop().processor("shipping", processor -> processor
                        .reads("orders")
                        .calls(Component.of("packing", new Packing(catalogue))
                                .deadLetters(queue -> queue.enqueuePolicy(YourFirstDeadLetterTests::decide)
                                        .maxSequences(2))
                                .build()))
                .start()) {
            applyPolicy(shop);
            overflowQueue(shop);
        }

        printed.print();
        assertThat(printed.blocks()).isEqualTo(PrintedBlocks.in(GUIDE));
    }

    @Test
    void isTheTestThatTheGuideRuns() throws IOException {
        assertThat(Files.readString(GUIDE)).contains("-Dtest=" + getClass().getSimpleName() + " ");
    }

    private void failOneEvent(HoldfastService shop) {
        append(shop, "o-1", new OrderPlaced("pear"), new OrderPaid(6));
        append(shop, "o-2", new OrderPlaced("apple"), new OrderPaid(4));

        waitUntil(() -> shop.deadLetterQueue("shipping", "packing").size() == 2
                && shop.views().find(PARCELS, "o-2").filter(Parcel::paid).isPresent());

        printed.startBlock("an event fails");
        printed.addLine(shop.views().page(PARCELS, "", 10));
    }

    private void listLetters(SequencedDeadLetterQueue queue) {
        printed.startBlock("inspect");
        printed.addLine(queue.name() + ", letters: " + queue.size());
        for (Iterable<DeadLetter> sequence : queue.deadLetters()) {
            for (DeadLetter letter : sequence) {
                Cause cause = letter.cause();
                printed.addLine(
                        letter.message().type() + " of " + letter.message().key() + ": "
                                + (cause == null ? "parked behind its predecessor" : cause.message()));
                letter.attempts().forEach(attempt -> printed.addLine("  attempted by " + attempt.by()));
            }
        }
    }

    private void repair(HoldfastService shop) {
        SequencedDeadLetterProcessor letters = shop.deadLetterProcessor("shipping", "packing");
        boolean drainedTooEarly = letters.processAny().join();
        catalogue.add("pear");
        boolean drained = letters.processAny().join();

        printed.startBlock("repair");
        printed.addLine(drainedTooEarly + ", then " + drained);
        printed.addLine(shop.views().page(PARCELS, "", 10));
    }

    private void watch() {
        waitUntil(() -> changes.contains("REPLAYED, letters: 2"));

        printed.startBlock("listener");
        changes.forEach(printed::addLine);
        printed.startBlock("metrics");
        for (String name : List.of("dlq.entries.added", "dlq.entries.replayed")) {
            printed.addLine(name + " = "
                    + meters.get(name).tag("component", "packing").counter().count());
        }
        printed.addLine("dlq.pending = "
                + meters.get("dlq.pending").tag("component", "packing").gauge().value());
    }

    private void processOne(HoldfastService shop) {
        append(shop, "o-3", new OrderPlaced("fig"));
        append(shop, "o-4", new OrderPlaced("plum"));
        SequencedDeadLetterQueue queue = shop.deadLetterQueue("shipping", "packing");
        waitUntil(() -> queue.amountOfSequences() == 2);

        catalogue.add("plum");
        boolean drained = shop.deadLetterProcessor("shipping", "packing")
                .process(letter -> letter.message().key().equals("o-4"))
                .join();

        printed.startBlock("process one");
        printed.addLine(
                drained + ", parked: o-3 " + queue.contains("orders/o-3") + ", o-4 " + queue.contains("orders/o-4"));
    }

    private void processMany(HoldfastService shop) {
        SequencedDeadLetterQueue queue = shop.deadLetterQueue("shipping", "packing");
        for (int order = 5; order <= 9; order++) {
            append(shop, "o-" + order, new OrderPlaced("fig"));
        }
        waitUntil(() -> queue.amountOfSequences() == 6);

        BulkReplay tooEarly = shop.deadLetterProcessor("shipping", "packing")
                .processAll(BulkReplaySettings.UNLIMITED.canaryFirst().perSecond(100));
        BulkProgress canary = tooEarly.result().join();
        catalogue.add("fig");
        BulkProgress all = shop.deadLetterProcessor("shipping", "packing")
                .processAll(BulkReplaySettings.UNLIMITED.canaryFirst().perSecond(100))
                .result()
                .join();

        printed.startBlock("process many");
        printed.addLine(canary);
        printed.addLine(all);
    }

    private void discard(HoldfastService shop) {
        append(shop, "o-10", new OrderPlaced("melon"), new OrderPaid(3));
        SequencedDeadLetterQueue queue = shop.deadLetterQueue("shipping", "packing");
        waitUntil(() -> queue.size() == 2);

        DeadLetter first = queue.deadLetterSequence("orders/o-10").iterator().next();
        boolean discarded = queue.evict(first);
        waitUntil(() -> queue.size() == 0);

        printed.startBlock("discard");
        printed.addLine(discarded + ", parked: o-10 " + queue.contains("orders/o-10"));
    }

    private void applyPolicy(HoldfastService shop) {
        append(shop, "o-11", new CustomerGreeted());
        append(shop, "o-12", new OrderPlaced("kiwi"));
        SequencedDeadLetterQueue queue = shop.deadLetterQueue("shipping", "packing");
        waitUntil(() -> queue.contains("orders/o-12") && changes.contains("SKIPPED, letters: 1"));

        printed.startBlock("policy");
        printed.addLine("parked: o-11 " + queue.contains("orders/o-11") + ", o-12 " + queue.contains("orders/o-12"));
        for (DeadLetter letter : queue.deadLetterSequence("orders/o-12")) {
            printed.addLine(letter.diagnostics());
        }
    }

    private void overflowQueue(HoldfastService shop) {
        append(shop, "o-13", new OrderPlaced("kiwi"));
        SequencedDeadLetterQueue queue = shop.deadLetterQueue("shipping", "packing");
        waitUntil(() -> queue.amountOfSequences() == 2);
        append(shop, "o-14", new OrderPlaced("kiwi"));
        List<String> problems = await().atMost(TIMEOUT)
                .until(() -> shop.processor("shipping").status().problems(), found -> !found.isEmpty());

        printed.startBlock("overflow");
        problems.forEach(printed::addLine);

        catalogue.add("kiwi");
        shop.deadLetterProcessor("shipping", "packing").processAny().join();
        waitUntil(() -> shop.processor("shipping").status().problems().isEmpty()
                && shop.views().find(PARCELS, "o-14").isPresent());

        printed.startBlock("recovery");
        printed.addLine(
                "o-14: " + shop.views().find(PARCELS, "o-14").orElseThrow().note());
    }
}
