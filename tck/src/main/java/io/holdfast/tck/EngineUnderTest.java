package io.holdfast.tck;

import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.service.Store;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/**
 * A committer and a controller over a store, without threads: what is submitted waits until {@link #commit}. One is one
 * process; throwing it away is a crash.
 */
public final class EngineUnderTest {

    private final Clock clock;
    private final AggregateStates states;
    private final GroupCommitter committer;
    private final EventSourcingController controller;

    public EngineUnderTest(Store store, Clock clock) {
        this(store, store.commitStore(), clock, CommitterSettings.DEFAULT_QUEUE);
    }

    /** @param commitStore the store's own, or something around it */
    public EngineUnderTest(Store store, CommitStore commitStore, Clock clock, int queue) {
        this.clock = clock;
        PayloadCodec codec = new PayloadCodec();
        this.states = new AggregateStates(store.eventLog(), codec);
        this.committer = new GroupCommitter(
                CommitterSettings.of(StoreHarness.SERVICE).queue(queue),
                commitStore,
                store.eventLog(),
                states,
                store.viewStore(),
                codec,
                clock);
        this.controller = new EventSourcingController(StoreHarness.SERVICE, committer, states, store.eventLog());
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

    /** Commits what waits. */
    public void commit() {
        committer.commitWaiting();
    }

    /** Submits, commits and gives what came of it. */
    public CommandResult run(Decision decision) {
        CompletableFuture<CommandResult> answer = submit(decision);
        commit();
        return answer.join();
    }

    /** What an account has, by this process's own view. */
    public long balance(String account) {
        return controller.state(Accounts.ACCOUNT, account).amount();
    }
}
