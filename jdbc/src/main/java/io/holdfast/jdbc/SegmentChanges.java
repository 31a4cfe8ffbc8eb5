package io.holdfast.jdbc;

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

/** Changes of what segments are, each in one transaction that has locked the rows first. */
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
        Token token = lockedAt(rows, claim, fromVersion);
        if (token == null) {
            return false;
        }
        rows.update(List.of(token.withSetup(token.setup().withPolicy(policy).withComponents(components))));
        return true;
    }

    Optional<Segment> split(TokenRows rows, Database database, TokenClaim claim, long fromVersion) throws SQLException {
        rows.lockStructure(claim.segment().consumer());
        Token token = lockedAt(rows, claim, fromVersion);
        if (token == null) {
            return Optional.empty();
        }
        Token off = token.splitOff();
        if (!rows.insertIfAbsent(database, off)) {
            throw new SQLException("segment " + off.segment() + " is there already; the shares overlap");
        }
        rows.update(List.of(token.narrowed()));
        return Optional.of(off.segment());
    }

    boolean merge(TokenRows rows, TokenClaim one, long oneVersion, TokenClaim other, long otherVersion)
            throws SQLException {
        if (one.segment().compareTo(other.segment()) > 0) {
            return merge(rows, other, otherVersion, one, oneVersion);
        }
        rows.lockStructure(one.segment().consumer());
        Token lower = lockedAt(rows, one, oneVersion);
        Token upper = lockedAt(rows, other, otherVersion);
        if (lower == null || upper == null || !lower.isMergeableWith(upper)) {
            return false;
        }
        rows.delete(upper.segment());
        rows.update(List.of(lower.mergedWith(upper)));
        return true;
    }

    /** @return how many were changed */
    int updateAll(TokenRows rows, String consumer, UnaryOperator<Token> change) throws SQLException {
        return update(rows, rows.lockAll(consumer), change);
    }

    /** Under the head. */
    boolean reset(TokenRows rows, String consumer, int fromGeneration, Map<String, StreamPosition> start)
            throws SQLException {
        List<ClaimedToken> all = rows.lockAll(consumer);
        if (all.isEmpty() || all.stream().anyMatch(held -> held.token().setup().generation() != fromGeneration)) {
            return false;
        }
        update(rows, all, token -> token.reset(start));
        rows.release(consumer);
        new LetterReset(rows.connection(), dialect, clock.instant()).reset(consumer, start);
        return true;
    }

    boolean changePolicy(TokenRows rows, String consumer, String replica, String policy) throws SQLException {
        List<ClaimedToken> all = rows.lockAll(consumer);
        boolean isAtOnePosition =
                all.stream().map(held -> held.token().positions()).distinct().count() == 1;
        boolean isFree = all.stream()
                .allMatch(held -> held.token().marks().isEmpty()
                        && (held.owner() == null || held.owner().equals(replica)));
        if (!isAtOnePosition || !isFree || SequenceRows.hasAny(rows.connection(), consumer)) {
            return false;
        }
        update(rows, all, token -> token.withSetup(token.setup().withPolicy(policy)));
        return true;
    }

    private static int update(TokenRows rows, List<ClaimedToken> all, UnaryOperator<Token> change) throws SQLException {
        List<Token> changed = new ArrayList<>();
        for (ClaimedToken held : all) {
            Token after = change.apply(held.token());
            if (!after.equals(held.token())) {
                changed.add(after);
            }
        }
        rows.update(changed);
        return changed.size();
    }

    private static @Nullable Token lockedAt(TokenRows rows, TokenClaim claim, long version) throws SQLException {
        ClaimedToken held = rows.lock(claim.segment());
        return held != null && held.isClaimedBy(claim) && held.token().version() == version ? held.token() : null;
    }
}
