package io.holdfast.processing;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import java.util.OptionalInt;

/** A transaction in which one savepoint cannot be set, because the database does not respond. */
final class FailingSavepoints implements UnitTransaction {

    private final UnitTransaction transaction;
    private final int failing;
    private int savepoints;

    private FailingSavepoints(UnitTransaction transaction, int failing) {
        this.transaction = transaction;
        this.failing = failing;
    }

    /** @param failing the number of the savepoint that fails, in every transaction */
    static UnitTransactions transactions(UnitTransactions transactions, int failing) {
        return new UnitTransactions() {
            @Override
            public boolean isBackedBy(Object resource) {
                return transactions.isBackedBy(resource);
            }

            @Override
            public OptionalInt capacity() {
                return transactions.capacity();
            }

            @Override
            public UnitTransaction begin() {
                return new FailingSavepoints(transactions.begin(), failing);
            }
        };
    }

    @Override
    public void savepoint() {
        if (++savepoints == failing) {
            throw new RetryableException("the database does not respond");
        }
        transaction.savepoint();
    }

    @Override
    public <T> T resource(Class<T> type) {
        return transaction.resource(type);
    }

    @Override
    public void rollbackToSavepoint() {
        transaction.rollbackToSavepoint();
    }

    @Override
    public CommitSession session() {
        return transaction.session();
    }

    @Override
    public void close() {
        transaction.close();
    }
}
