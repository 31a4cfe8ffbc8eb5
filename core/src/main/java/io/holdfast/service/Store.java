package io.holdfast.service;

import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.event.EventLog;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;

/**
 * The durable ports of one service, kept in one place: what one commit writes to several of them is one transaction.
 * Which technology keeps them is not visible to the engine.
 */
public interface Store {

    EventLog eventLog();

    CommitStore commitStore();

    /** For handlers that write rows of their own. */
    UnitTransactions unitTransactions();

    ViewStore viewStore();

    DeadLetterStore deadLetterStore();

    TokenStore tokenStore();

    OutboxStore outboxStore();

    ConsumerGroups consumerGroups();

    IdempotencyGuard idempotencyGuard();
}
