package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.eventsourcing.Command;
import io.holdfast.hazelcast.HazelcastWire;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A consumer that was down for longer than the ringbuffer retains events. */
class CatchUpTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int RING_CAPACITY = 100;
    /** Overwrites the ringbuffer ten times. */
    private static final long PER_KEY = 10L * RING_CAPACITY / Numbers.KEYS;

    private final Clock clock = Clock.systemUTC();
    private final HazelcastWire wire = HazelcastWire.embedded("catch-up-" + UUID.randomUUID())
            .ringCapacity(RING_CAPACITY)
            .timeout(Duration.ofMillis(500))
            .open();
    private final InMemoryStore sourceStore = new InMemoryStore("counting", clock);
    private final InMemoryStore restartedStore = new InMemoryStore("restarted", clock);
    private final InMemoryStore runningStore = new InMemoryStore("running", clock);
    private HoldfastService source = startSource();

    @AfterEach
    void close() {
        source.close();
        wire.close();
    }

    private HoldfastService startSource() {
        return HoldfastService.named("counting", sourceStore, wire)
                .owns("numbers")
                .start();
    }

    private HoldfastService start(String service, InMemoryStore store) {
        return HoldfastService.named(service, store, wire)
                .owns("copies")
                .processor("copier", processor -> processor.reads("numbers").calls(Numbers.copying()))
                .start();
    }

    private void countTo(long number) {
        for (String key : Numbers.keys()) {
            for (long next = source.commands().state(Numbers.COUNTED, key).number(); next < number; next++) {
                source.commands()
                        .execute(
                                Command.once(clock),
                                Numbers.COUNTED,
                                key,
                                count -> List.of(new Numbers.Counted(count.number() + 1)));
            }
        }
    }

    private static void awaitCopies(InMemoryStore store, long perKey) {
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(store.eventLog().position()).isEqualTo(perKey * Numbers.KEYS));
    }

    @Test
    void catchesUpFromTheSourceWithoutDisturbingOtherConsumers() {
        try (HoldfastService running = start("running", runningStore)) {
            HoldfastService restarted = start("restarted", restartedStore);
            countTo(1);
            awaitCopies(restartedStore, 1);
            restarted.close();

            countTo(PER_KEY);
            awaitCopies(runningStore, PER_KEY);
            HoldfastService resumed = start("restarted", restartedStore);
            countTo(PER_KEY + 5);

            awaitCopies(restartedStore, PER_KEY + 5);
            awaitCopies(runningStore, PER_KEY + 5);
            assertThat(running.processor("copier").status().error()).isEmpty();
            assertThat(sourceStore.consumerGroups().findAll()).hasSize(2);
            resumed.close();
        }
    }

    @Test
    void resumesCatchUpWhenTheSourceReturns() {
        HoldfastService restarted = start("restarted", restartedStore);
        countTo(1);
        awaitCopies(restartedStore, 1);
        restarted.close();
        countTo(PER_KEY);
        source.close();

        try (HoldfastService resumed = start("restarted", restartedStore)) {
            await().atMost(BOUND)
                    .until(() -> resumed.processor("copier").status().isClaimed());
            assertThat(restartedStore.eventLog().position()).isEqualTo(Numbers.KEYS);

            source = startSource();

            awaitCopies(restartedStore, PER_KEY);
            assertThat(resumed.processor("copier").status().stoppedStreams()).isEmpty();
        }
    }
}
