package io.holdfast.jdbc;

import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.event.Epoch;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.SeenEvent;
import io.holdfast.failover.TailLoss;
import io.holdfast.failover.Witnessed;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Opens commit sessions on one database. */
final class JdbcCommitStore implements CommitStore {

    private final Database database;
    private final EngineTransactions transactions;
    private final JdbcEventLog log;
    private final CommitPoint.Observer points;

    JdbcCommitStore(Database database, EngineTransactions transactions, JdbcEventLog log, CommitPoint.Observer points) {
        this.database = database;
        this.transactions = transactions;
        this.log = log;
        this.points = points;
    }

    @Override
    public CommitSession open() {
        return new JdbcSession(database, transactions.begin(), log, points);
    }

    @Override
    public Epoch raiseEpoch(@Nullable Settlement settlement) {
        return database.write("raising the epoch of the log", connection -> {
            LogHead head = database.lockHead(connection);
            ItemRows.settle(connection, settlement);
            return points.pass(CommitPoint.EPOCH_RAISE, () -> {
                Epoch raised = new Epoch(head.epoch() + 1, head.position());
                LogEpochs.start(connection, raised);
                LogEpochs epochs = LogEpochs.read(connection);
                connection.commit();
                log.switchTo(epochs);
                return raised;
            });
        });
    }

    @Override
    public HeadReading readHead(Witnessed witnessed) {
        return database.read("reading the head of the log", connection -> {
            try (PreparedStatement query = connection.prepareStatement(LogHead.select(database.dialect(), witnessed))) {
                LogHead.setWitnessed(query, witnessed);
                try (ResultSet row = query.executeQuery()) {
                    LogHead head = LogHead.of(row);
                    log.switchTo(head.epoch(), connection);
                    return head.reading();
                }
            }
        });
    }

    @Override
    public Optional<TailLoss> startEpochAfterLoss(List<SeenEvent> verified, Witnessed witnessed) {
        return database.write("starting an epoch after a loss", connection -> {
            LogHead head = database.lockHead(connection);
            TailLoss.Comparison found = TailLoss.compare(
                    verified, witnessed, log.ids(connection, positions(verified, witnessed)), head.position());
            if (found.lost().isEmpty() && head.commits() >= witnessed.commits()) {
                return Optional.empty();
            }
            Optional<Epoch> raised = found.newEpoch(LogEpochs.read(connection).epochs());
            if (raised.isPresent()) {
                points.pass(CommitPoint.EPOCH_RAISE, () -> {
                    LogEpochs.start(connection, raised.get());
                    connection.commit();
                });
            } else {
                connection.commit();
            }
            LogEpochs epochs = LogEpochs.read(connection);
            log.switchTo(epochs);
            return Optional.of(new TailLoss(found.commonPosition(), found.lost(), epochs.newest(), head.commits()));
        });
    }

    private static List<Long> positions(List<SeenEvent> verified, Witnessed witnessed) {
        return Stream.concat(verified.stream(), witnessed.unverified().stream())
                .map(SeenEvent::position)
                .distinct()
                .toList();
    }
}
