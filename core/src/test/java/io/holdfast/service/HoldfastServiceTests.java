package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.view.View;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.UnknownOperationException;
import io.holdfast.wire.Wire;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HoldfastServiceTests {

    private static final AggregateType<Ping> PINGS = AggregateType.of("pings", Ping.class, new Ping(0))
            .on(Ping.class, (last, ping) -> ping)
            .build();

    private static final View<Ping> SEEN = new View<>("seen", Ping.class);

    private static final Component COUNTING = Component.named("counting")
            .on(
                    Ping.class,
                    (ping, context) -> context.update(
                            SEEN,
                            context.event().key(),
                            row -> new Ping(row == null ? ping.number() : row.number() + ping.number())))
            .build();

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore pingStore = new InMemoryStore("pings", clock);
    private final InMemoryStore countStore = new InMemoryStore("counts", clock);

    @Test
    void eventsTakeEffectInOwningServiceAndInOthers() {
        try (HoldfastService pings = HoldfastService.named("pings", pingStore, wire)
                        .owns("pings")
                        .processor("own", processor -> processor.reads("pings").calls(COUNTING))
                        .start();
                HoldfastService counts = counts()) {
            ping(pings, 40);
            ping(pings, 2);

            await().untilAsserted(() -> {
                assertThat(counts.views().find(SEEN, "a")).contains(new Ping(42));
                assertThat(pings.views().find(SEEN, "a")).contains(new Ping(42));
            });
            // The publisher stores its position after it has published.
            await().untilAsserted(() -> assertThat(pings.publisher().pending()).isZero());
            assertThat(counts.processor("counting").status().isClaimed()).isTrue();
        }
    }

    /** Each event is awaited, so that no two share a commit. A busy machine only takes longer. */
    @Test
    void processorsCommitAtMostOncePerCommitInterval() {
        Duration interval = Duration.ofMillis(100);
        try (HoldfastService pings = HoldfastService.named("pings", pingStore, wire)
                .owns("pings")
                .processor("own", processor -> processor
                        .reads("pings")
                        .calls(COUNTING)
                        .settings(settings -> settings.commitInterval(interval)))
                .start()) {
            long started = System.nanoTime();
            for (int number = 1; number <= 9; number++) {
                Ping sum = new Ping(number);
                ping(pings, 1);
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> pings.views().find(SEEN, "a").equals(Optional.of(sum)));
            }

            assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(interval.multipliedBy(4));
        }
    }

    @Test
    void closeWaitsForRunningHandlers() throws Exception {
        CountDownLatch handlerStarted = new CountDownLatch(1);
        CountDownLatch mayFinish = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Component slow = Component.named("counting")
                .on(Ping.class, (ping, context) -> {
                    calls.incrementAndGet();
                    handlerStarted.countDown();
                    awaitUninterrupted(mayFinish);
                    context.update(SEEN, context.event().key(), row -> ping);
                })
                .build();
        HoldfastService pings = HoldfastService.named("pings", pingStore, wire)
                .owns("pings")
                .processor("own", processor -> processor.reads("pings").calls(slow))
                .start();
        ping(pings, 7);
        handlerStarted.await();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(pings::close);
        await().until(() ->
                pingStore.tokenStore().findAll("own").stream().anyMatch(claimed -> claimed.owner() != null));
        assertThat(closing).isNotDone();
        mayFinish.countDown();
        closing.join();

        assertThat(pings.views().find(SEEN, "a")).contains(new Ping(7));
        assertThat(pingStore.tokenStore().findAll("own"))
                .as("released")
                .allSatisfy(claimed -> assertThat(claimed.owner()).isNull());
        assertThat(calls).hasValue(1);
    }

    @Test
    void servesOperationsUntilClosed() {
        OperationClient client = new OperationClient(wire, Clock.systemUTC());
        OperationRequest request = new OperationRequest(new UUID(0, 7), "pings", "count", "{}");
        try (HoldfastService pings =
                HoldfastService.named("pings", pingStore, wire).owns("pings").start()) {
            await().until(() -> wire.directory().size() == 1);
            assertThatThrownBy(() -> client.ask(request).join()).hasCauseInstanceOf(UnknownOperationException.class);

            pings.operations().register("count", asked -> "7 for " + asked.id());

            assertThat(client.ask(request).join()).isEqualTo("7 for " + request.id());
        }

        assertThatThrownBy(() -> client.ask(request).join()).hasCauseInstanceOf(NoReplyException.class);
    }

    @Test
    @Timeout(5)
    void closesImmediatelyWhenStartFailed() {
        Wire rejecting = (Wire) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                    throw new PermanentException("no");
                });
        try (HoldfastService pings = HoldfastService.named("pings", pingStore, rejecting)
                .processor("own", processor -> processor.reads("elsewhere").calls(COUNTING))
                .build()) {
            assertThatThrownBy(pings::start)
                    .isInstanceOf(PermanentException.class)
                    .hasMessage("no");

            assertThat(pings.isRunning()).isFalse();
        }
    }

    @Test
    void callerReadsItsOwnWrites() {
        try (HoldfastService pings = pings()) {
            for (int i = 1; i <= 100; i++) {
                ping(pings, i);
                assertThat(pings.commands().state(PINGS, "a")).isEqualTo(new Ping(i));
                assertThat(pings.commands().history(PINGS, "a", i - 1, 10)).hasSize(1);
            }
        }
    }

    @Test
    void consumerCatchesUpAfterOutage() {
        try (HoldfastService pings = pings()) {
            ping(pings, 1);
        }
        wire.restart();
        try (HoldfastService pings = pings();
                HoldfastService counts = counts()) {
            ping(pings, 2);

            await().untilAsserted(
                            () -> assertThat(counts.views().find(SEEN, "a")).contains(new Ping(3)));
        }
    }

    @Test
    void readsServiceThatStartsLater() {
        try (HoldfastService counts = counts()) {
            await().untilAsserted(() -> assertThat(
                            counts.processor("counting").status().error())
                    .contains("the source of stream pings does not respond yet; retrying"));

            try (HoldfastService pings = pings()) {
                ping(pings, 1);

                await().untilAsserted(
                                () -> assertThat(counts.views().find(SEEN, "a")).contains(new Ping(1)));
                assertThat(counts.processor("counting").status().error()).isEmpty();
            }
        }
    }

    @Test
    void replicaServesItsStreamsAfterAnotherReplicaIsClosed() {
        try (HoldfastService pings = pings()) {
            ping(pings, 1);
            pings().close();

            try (HoldfastService counts = counts()) {
                await().untilAsserted(
                                () -> assertThat(counts.views().find(SEEN, "a")).contains(new Ping(1)));
            }
        }
    }

    @Test
    void rejectsAppendToStreamOfAnotherService() {
        try (HoldfastService other = HoldfastService.named("other", countStore, wire)
                .owns("something")
                .start()) {
            assertThatThrownBy(() -> ping(other, 1))
                    .isInstanceOf(PermanentException.class)
                    .hasMessageContaining("does not own stream pings");
        }
    }

    @Test
    void rejectsCommandWithinDecision() {
        try (HoldfastService pings = pings()) {
            assertThatThrownBy(() -> pings.commands().execute(Command.once(clock), context -> ping(pings, 1)))
                    .isInstanceOf(PermanentException.class)
                    .hasMessageContaining("cannot wait for itself");
        }
    }

    @Test
    void rejectsCommandsAfterClose() {
        HoldfastService pings = pings();
        pings.close();

        assertThatThrownBy(() -> ping(pings, 1))
                .isInstanceOf(RetryableException.class)
                .hasMessageContaining("stopped");
    }

    @Test
    void closeIsIdempotent() {
        HoldfastService pings = pings();
        pings.close();

        pings.close();

        assertThatThrownBy(pings::start)
                .isInstanceOf(PermanentException.class)
                .hasMessage("service pings was already closed; build a new one");
    }

    /** A processor that was never started would not finish draining. */
    @Test
    @Timeout(5)
    void closesImmediatelyIfNeverStarted() {
        HoldfastService counts = HoldfastService.named("counts", countStore, wire)
                .processor("counting", processor -> processor.reads("pings").calls(COUNTING))
                .build();

        counts.close();

        assertThat(counts.processor("counting").status().isClaimed()).isFalse();
    }

    @Test
    void recordsAppendDurationOfEachCommit() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        try (HoldfastService pings = HoldfastService.named("pings", pingStore, wire)
                .owns("pings")
                .metrics(metrics)
                .start()) {
            ping(pings, 1);
            ping(pings, 2);

            assertThat(metrics.get("eventlog.append.duration").timer().count()).isGreaterThanOrEqualTo(2);
            assertThat(metrics.get("eventlog.append.duration").timer().totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
        }
    }

    @Test
    void customizersRunAfterProcessorDefinitions() {
        List<String> received = new ArrayList<>();
        HoldfastServiceBuilder builder = HoldfastService.named("counts", countStore, wire)
                .customizeProcessors((name, configuration) -> configuration.settings(settings -> {
                    received.add(name + " " + settings.segments());
                    return settings;
                }))
                .customizeProcessors((name, definition) -> definition.settings(settings -> settings.batch(7)))
                .processor("counting", processor -> processor
                        .reads("pings")
                        .calls(COUNTING)
                        .settings(ProcessorSettings.DEFAULT.segments(3)));

        builder.customizeProcessors((name, configuration) -> configuration.settings(settings -> {
            received.add(name + " " + settings);
            return settings;
        }));
        builder.build().close();

        assertThat(received)
                .containsExactly(
                        "counting 3",
                        "counting " + ProcessorSettings.DEFAULT.segments(3).batch(7));
    }

    @Test
    void rejectsTwoProcessorsWithSameName() {
        assertThatThrownBy(() -> HoldfastService.named("x", pingStore, wire)
                        .processor("p", processor -> {})
                        .processor("p", processor -> {}))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("two processors named p");
    }

    @Test
    void rejectsProcessorNamedLikePublisher() {
        assertThatThrownBy(() ->
                        HoldfastService.named("x", pingStore, wire).processor("outbox-publisher", processor -> {}))
                .isInstanceOf(PermanentException.class)
                .hasMessage("service x cannot have a processor named outbox-publisher:"
                        + " the name is reserved for the engine");
    }

    private HoldfastService pings() {
        return HoldfastService.named("pings", pingStore, wire).owns("pings").start();
    }

    private HoldfastService counts() {
        return HoldfastService.named("counts", countStore, wire)
                .processor("counting", processor -> processor.reads("pings").calls(COUNTING))
                .start();
    }

    private CommandResult ping(HoldfastService service, int number) {
        return service.commands().execute(Command.once(clock), PINGS, "a", last -> List.of(new Ping(number)));
    }

    record Ping(int number) {}

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
