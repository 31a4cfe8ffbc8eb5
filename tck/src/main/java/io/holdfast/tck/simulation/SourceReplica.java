package io.holdfast.tck.simulation;

import io.holdfast.aggregate.Decision;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.outbox.publishing.Announcer;
import io.holdfast.outbox.publishing.OutboxMetrics;
import io.holdfast.outbox.publishing.OutboxPublisher;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.AppendSignals;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** One replica of the producing service. */
final class SourceReplica {

    private static final int BATCH = 7;

    private final EngineUnderTest engine;
    private final OutboxPublisher publisher;
    private final Announcer announcer;

    SourceReplica(StoreHarness harness, Wire wire, Clock clock) {
        this.engine = new EngineUnderTest(harness.store(), clock);
        String replica = "source-" + UUID.randomUUID();
        this.announcer = new Announcer(
                engine.eventLog(),
                wire,
                StoreHarness.SERVICE,
                replica,
                List.of(),
                Set.of(Accounts.STREAM, Mirror.REMARKS),
                List.of());
        this.publisher = new OutboxPublisher(
                engine.eventLog(),
                AppendSignals.untracked(),
                harness.store().outboxStore(),
                wire,
                harness.store().tokenStore(),
                engine.committer(),
                replica,
                clock,
                OutboxSettings.DEFAULT.batch(BATCH),
                new OutboxMetrics(new CompositeMeterRegistry(), () -> 0),
                engine.tail());
    }

    CompletableFuture<CommandResult> send(Step.SendCommand command, Decision decision) {
        return command.idempotencyKey() == 0
                ? engine.submit(decision)
                : engine.submit("command-" + command.idempotencyKey(), decision);
    }

    void commit() {
        engine.commit();
    }

    /** Checks that the log has lost nothing, as a service does once per second. */
    void checkLog() {
        engine.tail().step();
    }

    void publish() {
        publisher.step();
        announcer.step();
    }
}
