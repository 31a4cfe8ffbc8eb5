package io.holdfast.jdbc;

import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitChecks;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One transaction of the committer: locks the head, loads what is committed, then runs one statement per table. */
final class JdbcSession implements CommitSession {

    private final Database database;
    private final JdbcEventLog log;
    private final CommitPoint.Observer points;
    private @Nullable JoinedTransaction transaction;
    private @Nullable LogHead head;
    private boolean begun;
    private CommittedVersions known = CommittedVersions.none();
    private List<EventMessage> events = List.of();

    /** @param transaction the transaction to run in; the session closes it */
    JdbcSession(Database database, JoinedTransaction transaction, JdbcEventLog log, CommitPoint.Observer points) {
        this.database = database;
        this.transaction = transaction;
        this.log = log;
        this.points = points;
    }

    @Override
    public HeadReading lockHead(Witnessed witnessed) {
        LogHead locked = points.pass(
                CommitPoint.LOCK_HEAD,
                () -> execute("locking the head of the log", open -> {
                    LogHead newest = database.lockHead(open, witnessed);
                    log.switchTo(newest.epoch(), open);
                    return newest;
                }));
        head = locked;
        begun = true;
        return locked.reading();
    }

    @Override
    public List<EventMessage> find(Collection<UUID> ids) {
        return ids.isEmpty()
                ? List.of()
                : read("finding events", open -> JdbcEventLog.find(open, database.dialect(), ids, log.identity()));
    }

    @Override
    public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
        return read(
                "reading keys", open -> new KeyHistories(open, database.dialect(), log.identity()).read(keys, limit));
    }

    @Override
    public List<Row> findRows(Collection<RowKey> keys) {
        return keys.isEmpty()
                ? List.of()
                : read("reading rows of views", open -> JdbcViewStore.find(open, database.dialect(), keys));
    }

    @Override
    public ReadVersions findChanged(ReadVersions read) {
        requireHead();
        return execute("checking versions", open -> {
            known = CommittedVersions.load(
                    open, database.dialect(), read.keys().keySet(), read.rows().keySet(), Set.of());
            return read.changed(known::version, known::version);
        });
    }

    @Override
    public List<Rejection> write(List<UnitWrites> units) {
        return execute("writing commit units", open -> {
            try {
                return write(open, units);
            } catch (SQLException e) {
                if (SqlErrors.isUniqueViolation(e)) {
                    return new EventConflicts(database.dialect()).find(restart(open), units);
                }
                throw e;
            }
        });
    }

    private List<Rejection> write(Connection open, List<UnitWrites> units) throws SQLException {
        CommittedVersions committed = CommittedVersions.load(open, database.dialect(), units, known);
        UnitChecks checks = new UnitChecks(committed);
        List<Rejection> rejections = checks.check(units);
        if (!rejections.isEmpty()) {
            return rejections;
        }
        LogHead from = requireHead();
        List<EventDraft> drafts = units.stream()
                .flatMap(unit -> unit.events().stream())
                .map(EventColumns::withStoredPrecision)
                .toList();
        UnitWriter writer = new UnitWriter(open, database.dialect());
        EventPositions positions =
                new EventPositions(from.identity(log.identity().id()), from.position(), committed.streams());
        events = positions.assign(drafts);
        points.before(CommitPoint.WRITE_EVENTS);
        if (!writer.events(new PositionedEvents(events, positions.streamHeads().values(), false, from, null))) {
            return OutboxStreamConflicts.rejections(open, database.dialect(), units);
        }
        points.after(CommitPoint.WRITE_EVENTS);
        points.pass(CommitPoint.WRITE_ROWS, () -> writer.rows(units));
        points.pass(
                CommitPoint.WRITE_TOKENS, () -> writer.tokens(checks.advanced().values()));
        if (!writeLetters(units, checks)) {
            return new LetterConflicts(database.dialect()).find(restart(open), units);
        }
        points.pass(CommitPoint.WRITE_SNAPSHOTS, () -> writer.snapshots(units));
        return List.of();
    }

    /**
     * Writes letters and their outcomes, separately from the other tables: a violation here does not indicate a duplicate
     * event.
     *
     * @return false if a letter exists already
     */
    private boolean writeLetters(List<UnitWrites> units, UnitChecks checks) throws SQLException {
        try {
            LetterWrites letters = MergedLetterWrites.of(units).merged();
            points.pass(CommitPoint.WRITE_LETTERS, () -> {
                requireOpen().letters().write(letters, checks.queues());
                CauseGroupRows.write(requireOpen().connection(), database.dialect(), checks.groups());
            });
            points.pass(
                    CommitPoint.WRITE_OUTCOMES,
                    () -> writeOutcomes(requireOpen().connection(), units, letters));
            return true;
        } catch (SQLException e) {
            if (SqlErrors.isUniqueViolation(e)) {
                return false;
            }
            throw e;
        }
    }

    /** The units of a batch come from one replica. */
    private void writeOutcomes(Connection open, List<UnitWrites> units, LetterWrites letters) throws SQLException {
        String replica = units.stream()
                .flatMap(unit -> Stream.ofNullable(unit.replica()))
                .findFirst()
                .orElse(null);
        OutcomeRows.write(open, database.dialect(), letters, replica);
        for (UnitWrites unit : units) {
            for (Settlement settlement : unit.settlements()) {
                ItemRows.settle(open, settlement);
            }
        }
    }

    @Override
    public List<EventMessage> commit() {
        try {
            points.pass(CommitPoint.COMMIT, () -> requireOpen().commit());
        } catch (SQLException e) {
            if (SqlErrors.isCommitRejected(e)) {
                throw SqlErrors.of("committing units and application rows", e);
            }
            throw new OutcomeUnknownException("the outcome of a commit is unknown: SQL state " + e.getSQLState(), e);
        }
        return events;
    }

    @Override
    public void close() {
        JoinedTransaction open = transaction;
        transaction = null;
        database.dialect().clearInterrupt();
        if (open != null) {
            open.close();
        }
    }

    /** Rolls back the failed transaction, which accepts no further query, and begins another one. */
    private Connection restart(Connection open) throws SQLException {
        requireOpen().rollback();
        database.setTimeouts(open);
        return open;
    }

    /** Reads, perhaps before the head is locked. The first statement of a transaction sets its isolation level. */
    private <T> T read(String what, Database.Work<T> work) {
        return execute(what, open -> {
            if (!begun) {
                database.beginReads(open);
                begun = true;
            }
            return work.on(open);
        });
    }

    private <T> T execute(String what, Database.Work<T> work) {
        try {
            return work.on(requireOpen().connection());
        } catch (SQLException e) {
            throw SqlErrors.of(what, e);
        }
    }

    private JoinedTransaction requireOpen() {
        if (transaction == null) {
            throw new IllegalStateException("the session is closed");
        }
        database.dialect().clearInterrupt();
        return transaction;
    }

    private LogHead requireHead() {
        if (head == null) {
            throw new IllegalStateException("the head is not locked; call lockHead first");
        }
        return head;
    }
}
