package io.holdfast.memory;

import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import java.util.OptionalInt;

/** Begins transactions, the same as for a service that stores rows, that a commit unit joins. */
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
    public OptionalInt capacity() {
        return OptionalInt.empty();
    }

    @Override
    public UnitTransaction begin() {
        return new InMemoryUnitTransaction(state, transactions);
    }
}
