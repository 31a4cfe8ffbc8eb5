package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.ReceiptQuery;
import io.holdfast.action.Requester;
import io.holdfast.action.Settlement;
import io.holdfast.action.Staging;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.ResolvedLetter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stages and settles actions. Deadlines and retention times use the database's clock. Whatever settles items has locked
 * the head, as units have; staging has not, because it must not wait for them.
 */
final class JdbcActionStore implements ActionStore {

    /** A concurrent action may release the letter again before it is found. */
    private static final int MAX_ATTEMPTS = 20;

    /** Commits wait while a page of items is settled. */
    private static final int STOP_PAGE_SIZE = 2_000;

    private final Database database;
    private final Dialect dialect;
    private final CommitPoint.Observer points;

    JdbcActionStore(Database database, CommitPoint.Observer points) {
        this.database = database;
        this.dialect = database.dialect();
        this.points = points;
    }

    @Override
    public Staging stage(Action action) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (insert(action)) {
                points.after(CommitPoint.ACTION_STAGE);
                return new Staging.Staged(require(action));
            }
            Optional<Staging> found = find(List.of(action.id())).stream()
                    .findFirst()
                    .map(known -> known(action, known))
                    .or(() -> findLocking(action).map(Staging.InProgress::new));
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new RetryableException(
                "staging action " + action.id() + " failed: others keep locking one of its letters; retry");
    }

    private static Staging known(Action action, Receipt known) {
        return known.requestHash().equals(action.requestHash())
                ? new Staging.Known(known)
                : new Staging.OtherRequest(known);
    }

    private Receipt require(Action action) {
        return find(List.of(action.id())).stream()
                .findFirst()
                .orElseThrow(() -> new RetryableException("action " + action.id() + " has no items"));
    }

    private Optional<String> findLocking(Action action) {
        return database.read(
                "finding who locks letters of action " + action.id(),
                connection -> ItemRows.findLocking(connection, dialect, action.items()));
    }

    /** @return whether the action was inserted; false if it exists, or a letter has an open item */
    private boolean insert(Action action) {
        return database.write("staging action " + action.id(), connection -> {
            if (!ActionRows.insert(connection, database, action)) {
                return false;
            }
            try {
                ItemRows.insert(connection, dialect, action);
            } catch (SQLException e) {
                if (SqlErrors.isUniqueViolation(e)) {
                    connection.rollback();
                    return false;
                }
                throw e;
            }
            points.before(CommitPoint.ACTION_STAGE);
            return true;
        });
    }

    @Override
    public List<Receipt> find(Collection<String> actions) {
        return actions.isEmpty()
                ? List.of()
                : database.read("reading receipts", connection -> ActionRows.find(connection, dialect, actions));
    }

    @Override
    public List<Receipt> findReceipts(ReceiptQuery query) {
        return database.read("finding receipts", connection -> ReceiptQueries.find(connection, query));
    }

    @Override
    public List<Receipt.Item> findItems(String action, int fromItem, int limit) {
        return database.read(
                "reading items of action " + action, connection -> ItemRows.find(connection, action, fromItem, limit));
    }

    @Override
    public List<OpenItem> findOpen(int limit) {
        return database.read("reading open items", connection -> ItemRows.findOpen(connection, limit));
    }

    @Override
    public List<OpenItem> retainOpen(Collection<OpenItem> items) {
        if (items.isEmpty()) {
            return List.of();
        }
        Set<OpenItem> open =
                database.read("reading items again", connection -> ItemRows.findStartable(connection, dialect, items));
        return items.stream().filter(open::contains).toList();
    }

    @Override
    public void settle(Collection<OpenItem> items, Outcome outcome, @Nullable String detail, String replica) {
        var unused = underHead(CommitPoint.ACTION_SETTLE, "settling items", connection -> {
            ItemRows.settle(connection, items, outcome, Settlement.shortened(detail), replica);
            return items.size();
        });
    }

    @Override
    public void settleRemoved(Collection<OpenItem> items, String replica) {
        var unused = underHead(CommitPoint.ACTION_SETTLE, "settling items of removed letters", connection -> {
            for (OpenItem item : items) {
                settleIfRemoved(connection, item, replica);
            }
            return items.size();
        });
    }

    private static void settleIfRemoved(Connection connection, OpenItem item, String replica) throws SQLException {
        LetterItem letter = item.letter();
        if (LetterRows.find(connection, letter.component(), letter.event()).isEmpty()) {
            Optional<LetterOutcome> outcome = ResolvedLetterRows.find(connection, letter.component(), letter.event())
                    .map(ResolvedLetter::outcome);
            ItemRows.settle(
                    connection,
                    List.of(item),
                    outcome.map(LetterOutcome::outcome).orElse(Outcome.ALREADY_APPLIED),
                    outcome.map(LetterOutcome::detail).orElse(null),
                    replica);
        }
    }

    @Override
    public int expire(int limit, String replica) {
        return expire(null, limit, replica);
    }

    /** @param action the only action whose items expire; null for all */
    private int expire(@Nullable String action, int limit, String replica) {
        return underHead(CommitPoint.ACTION_EXPIRE, "expiring items", connection -> {
            List<OpenItem> expired = ItemRows.findExpired(connection, action, limit);
            ItemRows.expire(connection, expired, replica);
            Map<String, Set<Integer>> hashes = expired.stream()
                    .filter(OpenItem::isLetter)
                    .map(OpenItem::letter)
                    .collect(Collectors.groupingBy(
                            LetterItem::consumer, Collectors.mapping(LetterItem::hash, Collectors.toSet())));
            for (Map.Entry<String, Set<Integer>> consumer : hashes.entrySet()) {
                LetterChangeTransaction.raiseVersions(connection, dialect, consumer.getKey(), consumer.getValue());
            }
            return expired.size();
        });
    }

    @Override
    public Optional<Receipt> stop(String action, Requester requester, String replica) {
        var unused = underHead(CommitPoint.ACTION_STOP, "stopping action " + action, connection -> {
            ActionRows.stop(connection, action, requester);
            return 0;
        });
        int settled = STOP_PAGE_SIZE;
        while (settled == STOP_PAGE_SIZE) {
            settled = expire(action, STOP_PAGE_SIZE, replica);
        }
        return find(List.of(action)).stream().findFirst();
    }

    @Override
    public Optional<ResolvedLetter> findResolved(String component, UUID event) {
        return database.read(
                "reading a resolved letter of " + component,
                connection -> ResolvedLetterRows.find(connection, component, event));
    }

    @Override
    public boolean deleteExpired(Duration receipts, Duration resolved, int limit) {
        return points.pass(
                CommitPoint.ACTION_DELETE,
                () -> database.write("deleting old receipts and resolved letters", connection -> {
                    CauseGroupRows.delete(connection, dialect, Database.microseconds(resolved));
                    boolean isMoreLeft = ActionRows.delete(connection, dialect, Database.microseconds(receipts), limit);
                    int letters =
                            ResolvedLetterRows.delete(connection, dialect, Database.microseconds(resolved), limit);
                    int originals =
                            LetterOriginalRows.delete(connection, dialect, Database.microseconds(resolved), limit);
                    return isMoreLeft || letters == limit || originals == limit;
                }));
    }

    private int underHead(CommitPoint point, String what, Database.Work<Integer> work) {
        return points.pass(
                point,
                () -> database.write(what, connection -> {
                    database.lockHead(connection);
                    return work.on(connection);
                }));
    }
}
