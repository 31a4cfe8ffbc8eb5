package io.holdfast.memory;

import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;

/** The same transactions that a row-keeping service uses, carrying a unit along. */
final class InMemoryUnitTransactions implements UnitTransactions {

    private final InMemoryState state;
    private final InMemoryTransactions transactions;

    InMemoryUnitTransactions(InMemoryState state, InMemoryTransactions transactions) {
        this.state = state;
        this.transactions = transactions;
    }

    @Override
    public boolean isBackedBy(Object resource) {
        return resource == transactions;
    }

    @Override
    public UnitTransaction begin() {
        return new InMemoryUnitTransaction(state, transactions);
    }
}
