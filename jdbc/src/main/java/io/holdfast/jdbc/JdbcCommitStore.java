package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.event.Epoch;

/** Opens commit sessions on one database. */
final class JdbcCommitStore implements CommitStore {

    private final Database database;
    private final JoinedTransactions transactions;
    private final JdbcEventLog log;
    private final CommitPoint.Observer points;

    JdbcCommitStore(Database database, JoinedTransactions transactions, JdbcEventLog log, CommitPoint.Observer points) {
        this.database = database;
        this.transactions = transactions;
        this.log = log;
        this.points = points;
    }

    @Override
    public CommitSession open() {
        return new JdbcSession(database, transactions.begin(), log.identity().id(), points);
    }

    @Override
    public Epoch raiseEpoch() {
        return database.write("raising the epoch of the log", connection -> {
            LogHead head = database.lockHead(connection);
            return points.pass(CommitPoint.EPOCH_RAISE, () -> {
                Epoch raised = LogEpochs.raise(connection, head);
                LogEpochs epochs = LogEpochs.read(connection);
                connection.commit();
                log.switchTo(epochs);
                return raised;
            });
        });
    }
}
