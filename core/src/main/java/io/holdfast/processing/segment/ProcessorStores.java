package io.holdfast.processing.segment;

import io.holdfast.action.ActionStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.commit.group.Committer;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.token.TokenStore;

/** The stores of a processor's durable state. */
public record ProcessorStores(
        TokenStore tokens,
        DeadLetterStore letters,
        ActionStore actions,
        UnitTransactions transactions,
        Committer committer) {}
