package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.outbox.publishing.OutboxPublisher;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica whose committer does not finish its batch: here because a decision does not return. */
@Timeout(120)
class StalledCommitterTests {

    private static final AggregateType<Ping> PINGS = AggregateType.of("pings", Ping.class, new Ping(0))
            .on(Ping.class, (last, ping) -> ping)
            .build();
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(1);

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore store = new InMemoryStore("pings", clock);
    private final AtomicInteger handled = new AtomicInteger();
    private final CountDownLatch stalling = new CountDownLatch(1);
    private final CountDownLatch continuing = new CountDownLatch(1);

    @AfterEach
    void letContinue() {
        continuing.countDown();
    }

    @Test
    void answersAllCallersReportsTheCauseAndRecovers() throws Exception {
        try (HoldfastService service = replica("one")) {
            CompletableFuture<CommandResult> stalled = stall(service);
            CompletableFuture<CommandResult> waiting = submit(service, "a");

            assertThatThrownBy(stalled::join).hasCauseInstanceOf(OutcomeUnknownException.class);
            assertThatThrownBy(waiting::join)
                    .hasCauseInstanceOf(RetryableException.class)
                    .hasMessageContaining("nothing was committed");
            assertThat(service.isRunning()).isFalse();
            assertThat(service.outage()).hasValueSatisfying(StalledCommitterTests::isStall);
            assertThat(service.problems()).anySatisfy(StalledCommitterTests::isStall);
            assertThat(service.processor("own").status().problems()).anySatisfy(StalledCommitterTests::isStall);
            assertThatThrownBy(() -> submit(service, "b").join())
                    .hasMessageContaining("makes no progress; nothing was committed");

            continuing.countDown();

            await().atMost(BOUND).until(service::isRunning);
            assertThat(service.commands().state(PINGS, "stalled"))
                    .as("committed late")
                    .isEqualTo(new Ping(1));
            assertThat(service.commands().state(PINGS, "a")).as("refused").isEqualTo(new Ping(0));
            submit(service, "c").join();
            await().atMost(BOUND).untilAsserted(() -> assertThat(handled).hasValue(2));
            assertThat(service.problems()).isEmpty();
        }
    }

    @Test
    void losesItsSegmentsToAnotherReplicaUntilItContinues() throws Exception {
        try (HoldfastService one = replica("one")) {
            await().atMost(BOUND).until(() -> one.processor("own").status().isClaimed());
            try (HoldfastService other = replica("other")) {
                await().atMost(BOUND).until(() -> owns("one") > 0 && owns("other") > 0);
                var unused = stall(one);

                await().atMost(BOUND).until(() -> owns("one") == 0);
                await().during(LEASE.multipliedBy(2)).atMost(BOUND).until(() -> owns("one") == 0);
                submit(other, "a").join();
                await().atMost(BOUND).untilAsserted(() -> assertThat(handled).hasValue(1));

                continuing.countDown();

                await().atMost(BOUND).until(() -> owns("one") > 0);
                await().atMost(BOUND).untilAsserted(() -> assertThat(handled).hasValue(2));
            }
        }
    }

    /** It could still publish, but not save its position, and would publish the same events again and again. */
    @Test
    @Tag("long") // for a lease of the publisher
    void losesItsPublisherToAnotherReplica() throws Exception {
        try (HoldfastService one = replica("one")) {
            await().atMost(BOUND).until(() -> publishes("one"));
            try (HoldfastService other = replica("other")) {
                var unused = stall(one);

                await().atMost(BOUND).until(() -> publishes("other"));
                assertThat(other.isRunning()).isTrue();
                continuing.countDown();
            }
        }
    }

    @Test
    void isHealthyWhileIdle() {
        try (HoldfastService service = replica("one")) {
            submit(service, "a").join();

            await().during(LEASE.multipliedBy(2)).atMost(BOUND).until(service::isRunning);
        }
    }

    @Test
    void repeatedCommandFindsTheOneThatTimedOut() throws Exception {
        try (HoldfastService service = HoldfastService.named("pings", store, wire)
                .owns("pings")
                .commandTimeout(Duration.ofMillis(50))
                .start()) {
            Command command = Command.keyed("ann", "1");
            var unused = stall(service);

            assertThatThrownBy(() -> service.commands().execute(command, PINGS, "a", last -> List.of(new Ping(1))))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("was not completed within PT0.05S; it may still be committed");
            continuing.countDown();
            await().atMost(BOUND)
                    .until(() -> service.commands().state(PINGS, "a").equals(new Ping(1)));

            assertThat(service.commands().submit(command, context -> {}).join().duplicate())
                    .isTrue();
        }
    }

    private HoldfastService replica(String name) {
        return HoldfastService.named("pings", store, wire)
                .owns("pings")
                .replica(name)
                .stallTimeout(LEASE)
                .processor("own", processor -> processor
                        .reads("pings")
                        .settings(settings -> settings.segments(4).lease(LEASE))
                        .calls(Component.named("counting")
                                .on(Ping.class, (ping, context) -> handled.incrementAndGet())
                                .build()))
                .start();
    }

    /** Submits a command whose decision returns when the test lets it. */
    private CompletableFuture<CommandResult> stall(HoldfastService service) throws InterruptedException {
        CompletableFuture<CommandResult> submitted = service.commands()
                .submit(Command.once(clock), Decision.over(PINGS, "stalled", last -> {
                    stalling.countDown();
                    awaitUninterrupted(continuing);
                    return List.of(new Ping(1));
                }));
        stalling.await();
        return submitted;
    }

    private CompletableFuture<CommandResult> submit(HoldfastService service, String key) {
        return service.commands().submit(Command.once(clock), Decision.over(PINGS, key, last -> List.of(new Ping(1))));
    }

    private long owns(String replica) {
        return store.tokenStore().findAll("own").stream()
                .filter(claimed -> Objects.equals(claimed.owner(), replica))
                .count();
    }

    private boolean publishes(String replica) {
        return store.tokenStore().findAll(OutboxPublisher.NAME).stream()
                .anyMatch(claimed -> Objects.equals(claimed.owner(), replica));
    }

    private static void isStall(String problem) {
        assertThat(problem).contains("the committer of pings has made no progress for", "segments");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    record Ping(int number) {}
}
