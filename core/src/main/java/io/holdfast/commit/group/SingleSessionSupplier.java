package io.holdfast.commit.group;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import java.util.function.Supplier;

/** Supplies a single session: the one in a transaction that is already open. */
final class SingleSessionSupplier implements Supplier<CommitSession> {

    private final UnitTransaction transaction;
    private boolean opened;

    SingleSessionSupplier(UnitTransaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public CommitSession get() {
        if (opened) {
            throw new RetryableException("the transaction of these application rows has ended; nothing was committed");
        }
        opened = true;
        return transaction.session();
    }
}
