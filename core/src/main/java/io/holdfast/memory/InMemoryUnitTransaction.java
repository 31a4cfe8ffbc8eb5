package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Changes of application rows that take effect with the unit's commit. */
final class InMemoryUnitTransaction implements UnitTransaction {

    private final InMemoryState state;
    private final InMemoryTransactions transactions;
    private final InMemoryTransactions.Transaction transaction;
    private boolean hasSession;

    InMemoryUnitTransaction(InMemoryState state, InMemoryTransactions transactions) {
        this.state = state;
        this.transactions = transactions;
        this.transaction = transactions.begin();
    }

    @Override
    public <T> T resource(Class<T> type) {
        if (type != InMemoryTransactions.class) {
            throw new PermanentException("an in-memory transaction has no " + type.getName() + ", only "
                    + InMemoryTransactions.class.getName());
        }
        return type.cast(transactions);
    }

    @Override
    public void savepoint() {
        transaction.savepoint();
    }

    @Override
    public void rollbackToSavepoint() {
        transaction.rollbackToSavepoint();
    }

    @Override
    public CommitSession session() {
        if (hasSession) {
            throw new PermanentException(
                    "the session of this transaction was already opened; begin another transaction");
        }
        transaction.requireIntact();
        hasSession = true;
        return new Session();
    }

    @Override
    public void close() {
        transactions.end(transaction);
    }

    /** A session that commits the application rows too. Committing or closing it ends the transaction. */
    private final class Session implements CommitSession {

        private final InMemoryCommitSession session = new InMemoryCommitSession(state, transaction::apply);

        @Override
        public HeadReading lockHead(Witnessed witnessed) {
            return session.lockHead(witnessed);
        }

        @Override
        public List<EventMessage> find(Collection<UUID> ids) {
            return session.find(ids);
        }

        @Override
        public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
            return session.readKeys(keys, limit);
        }

        @Override
        public List<Row> findRows(Collection<RowKey> keys) {
            return session.findRows(keys);
        }

        @Override
        public ReadVersions findChanged(ReadVersions read) {
            return session.findChanged(read);
        }

        @Override
        public List<Rejection> write(List<UnitWrites> units) {
            return session.write(units);
        }

        @Override
        public List<EventMessage> commit() {
            List<EventMessage> events = session.commit();
            transactions.end(transaction);
            return events;
        }

        @Override
        public void close() {
            session.close();
            transactions.end(transaction);
        }
    }
}
