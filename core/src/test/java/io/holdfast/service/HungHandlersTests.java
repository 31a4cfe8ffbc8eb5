package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryTransactions;
import io.holdfast.memory.InMemoryWire;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that hang do not stop the other processors of their service. */
@Timeout(120)
class HungHandlersTests {

    private static final AggregateType<Ping> PINGS = AggregateType.of("pings", Ping.class, new Ping(0))
            .on(Ping.class, (last, ping) -> ping)
            .build();

    private static final int KEYS = 200;

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger hung = new AtomicInteger();
    private final InMemoryStore store = new InMemoryStore("pings", Clock.systemUTC());
    private final List<HoldfastService> services = new ArrayList<>();

    @AfterEach
    void close() {
        end.countDown();
        services.forEach(HoldfastService::close);
    }

    /**
     * The handlers of the other processors return only after as many of them have run at the same time as there are
     * threads. So their progress proves that none of them has lost concurrency.
     */
    @Test
    void otherProcessorsKeepTheirThroughput() {
        List<AtomicInteger> handled = List.of(new AtomicInteger(), new AtomicInteger());
        HoldfastServiceBuilder builder = builder()
                .processor("hung", processor -> processor.reads("pings").calls(hanging()));
        handled.forEach(count -> builder.processor(
                "other-" + handled.indexOf(count),
                processor -> processor.reads("pings").calls(meeting(count, 4))));
        HoldfastService service = start(builder);
        appendPings(service);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(handled)
                .allSatisfy(count -> assertThat(count).hasValue(KEYS)));
        await().untilAsserted(() -> assertThat(hung)
                .as("hanging at the same time")
                .hasValue(HoldfastServiceBuilder.DEFAULT_HANDLER_THREADS));
    }

    @Test
    void oneProcessorKeepsItsThroughputWhileSeveralHang() {
        AtomicInteger handled = new AtomicInteger();
        HoldfastServiceBuilder builder = builder();
        for (int number = 0; number < 3; number++) {
            builder.processor(
                    "hung-" + number, processor -> processor.reads("pings").calls(hanging()));
        }
        builder.processor("other", processor -> processor.reads("pings").calls(meeting(handled, 8)));
        HoldfastService service = start(builder);
        appendPings(service);

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(handled).hasValue(KEYS));
        assertThat(hung).hasValueGreaterThanOrEqualTo(HoldfastServiceBuilder.DEFAULT_HANDLER_THREADS);
    }

    @Test
    void everyProcessorGetsAThreadIfThereAreMoreThanThreads() {
        AtomicInteger handled = new AtomicInteger();
        HoldfastServiceBuilder builder = builder().handlerThreads(1);
        for (int number = 0; number < 5; number++) {
            builder.processor(
                    "hung-" + number, processor -> processor.reads("pings").calls(hanging()));
        }
        builder.processor("other", processor -> processor.reads("pings").calls(meeting(handled, 1)));
        HoldfastService service = start(builder);
        appendPings(service);

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(handled).hasValue(KEYS));
        await().untilAsserted(() -> assertThat(hung).hasValueGreaterThanOrEqualTo(5));
    }

    /** They divide the threads among themselves, and each needs at least one. */
    @Test
    void everyRowWritingProcessorGetsAThreadIfThereAreMoreThanThreads() {
        List<AtomicInteger> handled = List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
        HoldfastServiceBuilder builder = builder().handlerThreads(2);
        handled.forEach(count -> builder.processor("writing-" + handled.indexOf(count), processor -> processor
                .reads("pings")
                .calls(Component.named("writing")
                        .rowsIn(store.transactions())
                        .on(Ping.class, (ping, context) -> context.resource(InMemoryTransactions.class)
                                .atCommit(count::incrementAndGet))
                        .build())));
        HoldfastService service = start(builder);
        appendPings(service);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(handled)
                .allSatisfy(count -> assertThat(count).hasValue(KEYS)));
    }

    private Component hanging() {
        return Component.named("hanging")
                .on(Ping.class, (ping, context) -> {
                    hung.incrementAndGet();
                    waitFor(end);
                })
                .build();
    }

    /** Returns a component whose handlers return after this many of them have run at the same time. */
    private static Component meeting(AtomicInteger handled, int concurrently) {
        CountDownLatch met = new CountDownLatch(concurrently);
        return Component.named("meeting")
                .on(Ping.class, (ping, context) -> {
                    met.countDown();
                    waitFor(met);
                    handled.incrementAndGet();
                })
                .build();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HoldfastServiceBuilder builder() {
        return HoldfastService.named("pings", store, new InMemoryWire()).owns("pings");
    }

    private HoldfastService start(HoldfastServiceBuilder builder) {
        HoldfastService service = builder.start();
        services.add(service);
        return service;
    }

    private static void appendPings(HoldfastService service) {
        for (int key = 0; key < KEYS; key++) {
            int number = key;
            service.commands()
                    .execute(Command.once(Clock.systemUTC()), PINGS, "key-" + key, last -> List.of(new Ping(number)));
        }
    }

    record Ping(int number) {}
}
