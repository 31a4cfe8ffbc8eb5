package io.holdfast.jdbc;

import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores tokens, one row each, and the leases of tokens and replicas. Leases use the database's clock. */
final class JdbcTokenStore implements TokenStore {

    private final Database database;
    private final CommitPoint.Observer points;
    private final TokenLeases leases;
    private final ReplicaLeases replicaLeases;
    private final SegmentChanges changes;

    /** @param clock supplies the due time of letters that remain after a reset */
    JdbcTokenStore(Database database, Clock clock, CommitPoint.Observer points) {
        this.database = database;
        this.points = points;
        this.leases = new TokenLeases(database);
        this.replicaLeases = new ReplicaLeases(database);
        this.changes = new SegmentChanges(database.dialect(), clock);
    }

    @Override
    public Instant time() {
        return database.read("reading the database's clock", connection -> {
            try (PreparedStatement query = connection.prepareStatement("select current_timestamp as now");
                    ResultSet row = query.executeQuery()) {
                row.next();
                return EventColumns.instant(row, "now");
            }
        });
    }

    @Override
    public Token initialize(Segment segment, Map<String, StreamPosition> start) {
        return write(CommitPoint.TOKEN_INITIALIZE, "initializing segment " + segment, rows -> {
            rows.insertIfAbsent(database, Token.starting(segment, 0, start));
            ClaimedToken claimed = rows.lock(segment);
            if (claimed == null) {
                throw new SQLException("segment " + segment + " is missing right after its insert");
            }
            return addMissingPositions(rows, List.of(claimed), start).get(0);
        });
    }

    @Override
    public List<Token> initialize(String consumer, int count, Map<String, StreamPosition> start) {
        return write(CommitPoint.TOKEN_INITIALIZE, "initializing the segments of " + consumer, rows -> {
            if (rows.findAll(consumer).isEmpty()) {
                create(rows, consumer, count, start);
            }
            return addMissingPositions(rows, rows.lockAll(consumer), start);
        });
    }

    /** The replica that inserts segment 0 creates all other segments. Concurrent replicas wait for its commit. */
    private void create(TokenRows rows, String consumer, int count, Map<String, StreamPosition> start)
            throws SQLException {
        boolean isFirst = true;
        for (Map.Entry<Integer, Integer> numberAndMask : Segments.of(count).entrySet()) {
            Segment segment = new Segment(consumer, numberAndMask.getKey());
            Token token = Token.starting(segment, numberAndMask.getValue(), start);
            if (!rows.insertIfAbsent(database, token) && isFirst) {
                return;
            }
            isFirst = false;
        }
    }

    private static List<Token> addMissingPositions(
            TokenRows rows, List<ClaimedToken> found, Map<String, StreamPosition> start) throws SQLException {
        List<Token> all = new ArrayList<>();
        List<Token> changed = new ArrayList<>();
        for (ClaimedToken claimed : found) {
            ClaimedToken complete = claimed.withMissing(start);
            all.add(complete.token());
            if (!complete.equals(claimed)) {
                changed.add(complete.token());
            }
        }
        rows.update(changed);
        return all;
    }

    @Override
    public Optional<Token> find(Segment segment) {
        return database.read("reading segment " + segment, connection -> Optional.ofNullable(
                        new TokenRows(connection, database.dialect()).find(segment))
                .map(ClaimedToken::token));
    }

    @Override
    public List<ClaimedToken> findAll(String consumer) {
        return database.read(
                "reading the segments of " + consumer,
                connection -> new TokenRows(connection, database.dialect()).findAll(consumer));
    }

    @Override
    public Optional<TokenClaim> claim(Segment segment, String owner, Duration lease) {
        return points.pass(CommitPoint.TOKEN_CLAIM, () -> leases.claim(segment, owner, lease));
    }

    @Override
    public Set<TokenClaim> renew(Collection<TokenClaim> claims, Duration lease) {
        return points.pass(CommitPoint.TOKEN_RENEW, () -> leases.renew(claims, lease));
    }

    @Override
    public boolean release(TokenClaim claim, @Nullable Settlement settlement) {
        return write(
                CommitPoint.TOKEN_RELEASE,
                "releasing segment " + claim.segment(),
                new Settling<>(settlement, rows -> TokenLeases.release(rows, claim), released -> released));
    }

    @Override
    public Map<String, ProcessorDefinition> renewReplica(
            String consumer, String replica, Duration lease, ProcessorDefinition handled) {
        return points.pass(
                CommitPoint.TOKEN_RENEW_REPLICA, () -> replicaLeases.renew(consumer, replica, lease, handled));
    }

    @Override
    public void releaseReplica(String consumer, String replica) {
        replicaLeases.release(consumer, replica);
    }

    @Override
    public ProcessorDefinition findDefinition(String consumer) {
        return database.read(
                "reading the definition of " + consumer, connection -> DefinitionRows.find(connection, consumer));
    }

    @Override
    public ProcessorDefinition define(
            String consumer, UnaryOperator<ProcessorDefinition> change, @Nullable Settlement settlement) {
        return write(
                CommitPoint.TOKEN_DEFINE,
                "changing the definition of " + consumer,
                new Settling<>(
                        settlement, rows -> DefinitionRows.change(rows, database, consumer, change), stored -> true));
    }

    @Override
    public boolean setUp(
            TokenClaim claim, long fromVersion, String policy, Map<String, Map<String, StreamPosition>> components) {
        return write(
                CommitPoint.TOKEN_SET_UP,
                "setting up segment " + claim.segment(),
                rows -> changes.setUp(rows, claim, fromVersion, policy, components));
    }

    @Override
    public Optional<Segment> split(TokenClaim claim, long fromVersion, @Nullable Settlement settlement) {
        return write(
                CommitPoint.TOKEN_SPLIT,
                "splitting segment " + claim.segment(),
                new Settling<>(
                        settlement, rows -> changes.split(rows, database, claim, fromVersion), Optional::isPresent));
    }

    @Override
    public boolean merge(
            TokenClaim one, long oneVersion, TokenClaim other, long otherVersion, @Nullable Settlement settlement) {
        return write(
                CommitPoint.TOKEN_MERGE,
                "merging segments " + one.segment() + " and " + other.segment(),
                new Settling<>(
                        settlement,
                        rows -> changes.merge(rows, one, oneVersion, other, otherVersion),
                        merged -> merged));
    }

    @Override
    public void setPaused(String consumer, boolean paused, @Nullable Settlement settlement) {
        write(
                CommitPoint.TOKEN_PAUSE,
                "pausing " + consumer,
                new Settling<>(
                        settlement,
                        rows -> changes.updateAll(rows, consumer, token -> token.paused(paused)),
                        changed -> true));
    }

    @Override
    public boolean reset(
            String consumer, int fromGeneration, Map<String, StreamPosition> start, @Nullable Settlement settlement) {
        Settling<Boolean> reset = new Settling<>(
                settlement, rows -> changes.reset(rows, consumer, fromGeneration, start, settlement), done -> done);
        return points.pass(
                CommitPoint.TOKEN_RESET,
                () -> database.writeLong("resetting " + consumer, connection -> {
                    database.lockHead(connection); // before the tokens, as units do: a reset changes letters
                    return reset.on(new TokenRows(connection, database.dialect()));
                }));
    }

    @Override
    public void acceptRestore(
            String consumer, String stream, Map<StreamPosition, StreamPosition> lost, @Nullable Settlement settlement) {
        write(
                CommitPoint.TOKEN_RESTORE,
                "accepting the restore of stream " + stream + " for " + consumer,
                new Settling<>(
                        settlement,
                        rows -> changes.updateAll(rows, consumer, token -> token.afterRestore(stream, lost)),
                        changed -> true));
    }

    @Override
    public boolean changePolicy(String consumer, String replica, String policy) {
        return write(
                CommitPoint.TOKEN_CHANGE_POLICY,
                "changing the policy of " + consumer,
                rows -> changes.changePolicy(rows, consumer, replica, policy));
    }

    private <T> T write(CommitPoint point, String what, Change<T> change) {
        return points.pass(
                point,
                () -> database.write(what, connection -> change.on(new TokenRows(connection, database.dialect()))));
    }

    /** A change of token rows in a transaction of its own. */
    private interface Change<T> {
        T on(TokenRows rows) throws SQLException;
    }

    /**
     * A change that settles the item of an operation, in the same transaction.
     *
     * @param isApplied whether a result shows that the change took place; otherwise the item stays open
     */
    private record Settling<T>(@Nullable Settlement settlement, Change<T> change, Predicate<T> isApplied)
            implements Change<T> {

        @Override
        public T on(TokenRows rows) throws SQLException {
            ItemRows.settle(rows.connection(), settlement);
            T result = change.on(rows);
            if (settlement != null && !isApplied.test(result)) {
                rows.connection().rollback();
            }
            return result;
        }
    }
}
