package io.holdfast.commit;

import io.holdfast.RetryableException;
import io.holdfast.event.Epoch;

/** A store whose only session is in a transaction that is open already. */
final class OneSession implements CommitStore {

    private final UnitTransaction transaction;
    private boolean opened;

    OneSession(UnitTransaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public CommitSession open() {
        if (opened) {
            throw new RetryableException("the transaction of these rows has ended; nothing of it was committed");
        }
        opened = true;
        return transaction.session();
    }

    @Override
    public Epoch raiseEpoch() {
        throw new UnsupportedOperationException("an epoch is not raised while events are handled");
    }
}
