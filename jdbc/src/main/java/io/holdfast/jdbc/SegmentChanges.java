package io.holdfast.jdbc;

import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes the tokens and the structure of segments, each time in one transaction that locks the rows first. */
final class SegmentChanges {

    private final Dialect dialect;
    private final Clock clock;

    SegmentChanges(Dialect dialect, Clock clock) {
        this.dialect = dialect;
        this.clock = clock;
    }

    boolean setUp(
            TokenRows rows,
            TokenClaim claim,
            long fromVersion,
            String policy,
            Map<String, Map<String, StreamPosition>> components)
            throws SQLException {
        Token token = lockAtVersion(rows, claim, fromVersion);
        if (token == null) {
            return false;
        }
        rows.update(List.of(token.withSetup(token.setup().withPolicy(policy).withComponents(components))));
        return true;
    }

    Optional<Segment> split(TokenRows rows, Database database, TokenClaim claim, long fromVersion) throws SQLException {
        rows.lockStructure(claim.segment().consumer());
        Token token = lockAtVersion(rows, claim, fromVersion);
        if (token == null) {
            return Optional.empty();
        }
        Token splitOff = token.splitOff();
        if (!rows.insertIfAbsent(database, splitOff)) {
            throw new SQLException("segment " + splitOff.segment() + " exists already; the segments overlap");
        }
        rows.update(List.of(token.narrowed()));
        return Optional.of(splitOff.segment());
    }

    boolean merge(TokenRows rows, TokenClaim one, long oneVersion, TokenClaim other, long otherVersion)
            throws SQLException {
        if (one.segment().compareTo(other.segment()) > 0) {
            return merge(rows, other, otherVersion, one, oneVersion);
        }
        rows.lockStructure(one.segment().consumer());
        Token lower = lockAtVersion(rows, one, oneVersion);
        Token upper = lockAtVersion(rows, other, otherVersion);
        if (lower == null || upper == null || !lower.isMergeableWith(upper)) {
            return false;
        }
        rows.delete(upper.segment());
        rows.update(List.of(lower.mergedWith(upper)));
        return true;
    }

    /** @return the number of changed tokens */
    int updateAll(TokenRows rows, String consumer, UnaryOperator<Token> change) throws SQLException {
        return update(rows, rows.lockAll(consumer), change);
    }

    /** Requires the head lock. */
    boolean reset(
            TokenRows rows,
            String consumer,
            int fromGeneration,
            Map<String, StreamPosition> start,
            @Nullable Settlement settlement)
            throws SQLException {
        List<ClaimedToken> all = rows.lockAll(consumer);
        if (all.isEmpty()
                || all.stream().anyMatch(claimed -> claimed.token().setup().generation() != fromGeneration)) {
            return false;
        }
        update(rows, all, token -> token.reset(start));
        rows.release(consumer);
        new LetterReset(rows.connection(), dialect, clock.instant(), settlement).reset(consumer, start);
        return true;
    }

    boolean changePolicy(TokenRows rows, String consumer, String replica, String policy) throws SQLException {
        List<ClaimedToken> all = rows.lockAll(consumer);
        boolean isAtOnePosition = all.stream()
                        .map(claimed -> claimed.token().positions())
                        .distinct()
                        .count()
                == 1;
        boolean isFree = all.stream()
                .allMatch(claimed -> claimed.token().marks().isEmpty()
                        && (claimed.owner() == null || claimed.owner().equals(replica)));
        if (!isAtOnePosition || !isFree || SequenceRows.hasAny(rows.connection(), consumer)) {
            return false;
        }
        update(rows, all, token -> token.withSetup(token.setup().withPolicy(policy)));
        return true;
    }

    private static int update(TokenRows rows, List<ClaimedToken> all, UnaryOperator<Token> change) throws SQLException {
        List<Token> changed = new ArrayList<>();
        for (ClaimedToken claimed : all) {
            Token after = change.apply(claimed.token());
            if (!after.equals(claimed.token())) {
                changed.add(after);
            }
        }
        rows.update(changed);
        return changed.size();
    }

    private static @Nullable Token lockAtVersion(TokenRows rows, TokenClaim claim, long version) throws SQLException {
        ClaimedToken claimed = rows.lock(claim.segment());
        return claimed != null && claimed.isClaimedBy(claim) && claimed.token().version() == version
                ? claimed.token()
                : null;
    }
}
