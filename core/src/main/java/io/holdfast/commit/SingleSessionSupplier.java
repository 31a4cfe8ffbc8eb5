package io.holdfast.commit;

import io.holdfast.RetryableException;
import java.util.function.Supplier;

/** Gives one session only: that in a transaction that is open already. */
final class SingleSessionSupplier implements Supplier<CommitSession> {

    private final UnitTransaction transaction;
    private boolean opened;

    SingleSessionSupplier(UnitTransaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public CommitSession get() {
        if (opened) {
            throw new RetryableException("the transaction of these rows has ended; nothing of it was committed");
        }
        opened = true;
        return transaction.session();
    }
}
