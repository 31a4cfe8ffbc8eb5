package io.holdfast.service;

import io.holdfast.action.ActionStore;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.event.EventLog;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.KnownServices;

/**
 * The durable ports of one service on a single store, so that a commit writes to several of them in one transaction.
 * The engine does not depend on the store's technology.
 */
public interface Store {

    EventLog eventLog();

    CommitStore commitStore();

    /** Returns the transactions for handlers that write application rows. */
    UnitTransactions unitTransactions();

    ViewStore viewStore();

    DeadLetterStore deadLetterStore();

    TokenStore tokenStore();

    OutboxStore outboxStore();

    ConsumerGroups consumerGroups();

    /** Returns the services that this one has seen. */
    KnownServices knownServices();

    IdempotencyGuard idempotencyGuard();

    /** Returns the actions of operators on letters. */
    ActionStore actionStore();

    /** Returns the entries that operators see: parked and resolved letters. */
    EntryStore entryStore();
}
