package io.holdfast.tck.harness;

import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.CommitterStatistics;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.group.CommitEngine;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.service.Store;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/**
 * A committer and a controller over a store, without threads unless {@linkplain #start started}: submitted units wait
 * until {@link #commit}. One object is one replica; dropping it simulates a crash.
 */
public final class EngineUnderTest implements AutoCloseable {

    private final Clock clock;
    private final EventLog log;
    private final TailRecovery tail;
    private final AggregateStates states;
    private final GroupCommitter committer;
    private final EventSourcingController controller;

    public EngineUnderTest(Store store, Clock clock) {
        this(store, store.commitStore(), clock, CommitterSettings.DEFAULT_QUEUE);
    }

    public EngineUnderTest(String service, Store store, Clock clock) {
        this(CommitterSettings.of(service), store, store.commitStore(), clock);
    }

    /** @param commitStore the store's own commit store, or a decorator of it */
    public EngineUnderTest(Store store, CommitStore commitStore, Clock clock, int queue) {
        this(CommitterSettings.of(StoreHarness.SERVICE).queue(queue), store, commitStore, clock);
    }

    private EngineUnderTest(CommitterSettings settings, Store store, CommitStore commitStore, Clock clock) {
        this.clock = clock;
        CommitEngine engine = CommitEngine.of(
                settings,
                commitStore,
                store.eventLog(),
                store.viewStore(),
                new PayloadCodec(),
                clock,
                new CompositeMeterRegistry());
        this.log = engine.eventLog();
        this.tail = engine.tail();
        this.states = engine.states();
        this.committer = engine.committer();
        this.controller = new EventSourcingController(settings.service(), committer, states, log);
    }

    /** Returns what checks that the log has not lost its tail. */
    public TailRecovery tail() {
        return tail;
    }

    /** Returns the log; what is read from it must not outlive the events that the store has lost. */
    public EventLog eventLog() {
        return log;
    }

    public GroupCommitter committer() {
        return committer;
    }

    public EventSourcingController controller() {
        return controller;
    }

    public CompletableFuture<CommandResult> submit(Decision decision) {
        return controller.submit(Command.once(clock), decision);
    }

    public CompletableFuture<CommandResult> submit(String idempotencyKey, Decision decision) {
        return controller.submit(Command.keyed("kit", idempotencyKey), decision);
    }

    public CompletableFuture<UnitOutcome> submit(CommitUnit unit) {
        return committer.submit(unit);
    }

    /** @return the outcome; fails if the whole unit was rejected */
    public CompletableFuture<SinglePart.Outcome> submit(SinglePart part) {
        return committer.submit(part.unit()).thenApply(EngineUnderTest::outcome);
    }

    /** Commits a part in the transaction of a handler. */
    public SinglePart.Outcome commitIn(UnitTransaction transaction, SinglePart part) {
        return outcome(committer.commitIn(transaction, part.unit()));
    }

    private static SinglePart.Outcome outcome(UnitOutcome outcome) {
        if (outcome instanceof UnitOutcome.Committed committed) {
            return committed.parts().get(0).duplicate() ? SinglePart.Outcome.DUPLICATE : SinglePart.Outcome.COMMITTED;
        }
        return SinglePart.Outcome.REJECTED;
    }

    public CommitterStatistics statistics() {
        return committer.statistics();
    }

    /** Commits on a thread of its own from now on, until it is closed. */
    public EngineUnderTest start() {
        committer.start();
        return this;
    }

    @Override
    public void close() {
        committer.close();
    }

    /** Commits the waiting units. */
    public void commit() {
        committer.commitWaiting();
    }

    /** Submits a decision, commits it and returns its result. */
    public CommandResult run(Decision decision) {
        CompletableFuture<CommandResult> result = submit(decision);
        commit();
        return result.join();
    }

    /** Returns the balance of an account as this replica sees it. */
    public long balance(String account) {
        return controller.state(Accounts.ACCOUNT, account).amount();
    }
}
