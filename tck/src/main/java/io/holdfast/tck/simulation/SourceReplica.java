package io.holdfast.tck.simulation;

import io.holdfast.aggregate.Decision;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.outbox.OutboxPublisher;
import io.holdfast.tck.EngineUnderTest;
import io.holdfast.tck.StoreHarness;
import io.holdfast.wire.Wire;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** One process of the writing service. */
final class SourceReplica {

    private static final int BATCH = 7;

    private final EngineUnderTest engine;
    private final OutboxPublisher publisher;

    SourceReplica(StoreHarness harness, Wire wire) {
        this.engine = new EngineUnderTest(harness.store(), harness.clock());
        this.publisher = new OutboxPublisher(
                harness.store().eventLog(),
                harness.store().outboxStore(),
                wire,
                harness.store().tokenStore(),
                engine.committer(),
                "source-" + UUID.randomUUID(),
                harness.clock(),
                BATCH);
    }

    CompletableFuture<CommandResult> ask(Step.Ask ask, Decision decision) {
        return ask.key() == 0 ? engine.submit(decision) : engine.submit("command-" + ask.key(), decision);
    }

    void commit() {
        engine.commit();
    }

    void publish() {
        publisher.step();
    }
}
