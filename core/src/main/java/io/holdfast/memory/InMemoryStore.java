package io.holdfast.memory;

import io.holdfast.action.ActionStore;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventLog;
import io.holdfast.event.LogIdentity;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.Store;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.KnownServices;
import java.time.Clock;

/**
 * The durable ports of one service, in memory. The state survives crashes of the engine that a test simulates (a
 * committer that dies, a second replica), but not the process.
 *
 * <p>Thread-safe. Several committers on one store act as several replicas of the service.
 */
public final class InMemoryStore implements Store {

    private final InMemoryState state;
    private final InMemoryTransactions transactions;
    private final OutboxStore outboxStore;
    private final KnownServices knownServices;
    private final IdempotencyGuard idempotencyGuard;
    private final ActionStore actionStore;
    private final EntryStore entryStore;

    public InMemoryStore(String service, Clock clock) {
        this(service, clock, CommitPoint.Observer.NONE);
    }

    /** @param points called before and after every durable write; it may throw, to simulate a crash */
    public InMemoryStore(String service, Clock clock, CommitPoint.Observer points) {
        InMemoryHead head = new InMemoryHead();
        InMemoryEventLog log = new InMemoryEventLog(new LogIdentity(EventIds.random(clock.instant()), 1));
        InMemoryActions actions = new InMemoryActions(clock);
        InMemoryDeadLetters letters = new InMemoryDeadLetters(actions);
        this.state = new InMemoryState(
                head,
                log,
                new InMemoryTokenStore(head, letters, clock, points),
                letters,
                new InMemoryConsumerGroups(head, actions, clock, points),
                points);
        this.transactions = new InMemoryTransactions(points);
        this.outboxStore = new InMemoryOutboxStore(service, state, transactions, clock);
        this.knownServices = new InMemoryKnownServices(clock, points);
        this.idempotencyGuard = new InMemoryIdempotencyGuard(clock, points);
        this.actionStore = new InMemoryActionStore(state, clock);
        this.entryStore = new InMemoryEntryStore(letters, clock);
    }

    @Override
    public EventLog eventLog() {
        return state.log();
    }

    @Override
    public CommitStore commitStore() {
        return new InMemoryCommitStore(state);
    }

    @Override
    public UnitTransactions unitTransactions() {
        return new InMemoryUnitTransactions(state, transactions);
    }

    @Override
    public DeadLetterStore deadLetterStore() {
        return new InMemoryDeadLetterStore(state);
    }

    @Override
    public ViewStore viewStore() {
        return state.rows();
    }

    @Override
    public TokenStore tokenStore() {
        return state.tokens();
    }

    @Override
    public OutboxStore outboxStore() {
        return outboxStore;
    }

    @Override
    public ConsumerGroups consumerGroups() {
        return state.groups();
    }

    @Override
    public KnownServices knownServices() {
        return knownServices;
    }

    @Override
    public IdempotencyGuard idempotencyGuard() {
        return idempotencyGuard;
    }

    @Override
    public ActionStore actionStore() {
        return actionStore;
    }

    @Override
    public EntryStore entryStore() {
        return entryStore;
    }

    /** Returns the transactions that {@link #outboxStore} joins; they are the resource of {@link #unitTransactions}. */
    public InMemoryTransactions transactions() {
        return transactions;
    }
}
