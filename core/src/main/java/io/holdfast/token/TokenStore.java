package io.holdfast.token;

import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores the tokens of all consumers of a service, and the claims on them. A token is advanced by a commit unit
 * ({@link TokenAdvance}), so that position and effects become durable together.
 *
 * <p><b>Contract.</b> Reads return the token as the last committed advance or change left it. At any time, at most one
 * claim of a segment can commit, and only from the current version of the token. Leases are measured by the store's
 * clock, not the worker's. The segments of a consumer cover every hash exactly once, at any time.
 *
 * <p><b>Thread safety.</b> Safe for concurrent use by any number of threads and processes.
 *
 * <p><b>Transaction.</b> Joins none: each call is atomic, and durable when it returns. A call with a {@link Settlement}
 * commits the outcome together with its change. If the change does not take place, the item stays open.
 *
 * <p><b>Not guaranteed.</b> That a claim is still valid when a call returns successfully. Only a commit verifies it.
 */
public interface TokenStore {

    /**
     * Creates a segment's token unless it exists. Idempotent: a stored position is never resolved again. A later call
     * with other positions only adds streams that the token lacks, and does not change the version.
     *
     * @return the current token
     */
    Token initialize(Segment segment, Map<String, StreamPosition> start);

    /**
     * Creates the segments of a consumer ({@link Segments#of}) unless it has any, and adds to every existing segment
     * the streams that it lacks. Changes nothing else, not even a version.
     *
     * @return the current tokens, ordered by number
     */
    List<Token> initialize(String consumer, int segments, Map<String, StreamPosition> start);

    /** Returns the time on the store's clock, which all replicas share. */
    Instant time();

    Optional<Token> find(Segment segment);

    /**
     * Returns all segments of a consumer, ordered by number. The owner is null if unclaimed or the lease has expired.
     */
    List<ClaimedToken> findAll(String consumer);

    /**
     * Claims an existing segment that is unclaimed or whose lease has expired. If the same owner already has it, the
     * new claim supersedes the old one with a new fencing token.
     *
     * @return the claim; empty if another owner has the segment, or it does not exist. A lost race is not an error
     */
    Optional<TokenClaim> claim(Segment segment, String owner, Duration lease);

    /**
     * Extends leases to {@code lease} from now. An expired claim is renewed if no other owner has claimed the segment.
     *
     * @return the renewed claims, without those that are stale, were released, or whose segment no longer exists
     */
    Set<TokenClaim> renew(Collection<TokenClaim> claims, Duration lease);

    /**
     * Releases a claim, which can then no longer commit.
     *
     * @return whether it was released; false, without any change, if the claim is stale
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    boolean release(TokenClaim claim, @Nullable Settlement settlement);

    /** As {@link #release(TokenClaim, Settlement)}, without a settlement. */
    default void release(TokenClaim claim) {
        release(claim, null);
    }

    /**
     * Registers a replica as available to a consumer, or renews its registration, for {@code lease} from now.
     *
     * @param handled what this replica handles
     * @return what each registered replica handles, including this one, by replica
     */
    Map<String, ProcessorDefinition> renewReplica(
            String consumer, String replica, Duration lease, ProcessorDefinition handled);

    /** Removes a replica's registration. */
    void releaseReplica(String consumer, String replica);

    /** Returns the definition of a consumer; {@link ProcessorDefinition#EMPTY} if none is stored. */
    ProcessorDefinition findDefinition(String consumer);

    /**
     * Changes the definition of a consumer, and raises its version if that changes anything. If it then covers other
     * components or types, the same transaction raises the versions of all tokens, so that every commit is rejected
     * that was built under the old definition. New components start, in every segment, at the segment's positions;
     * removed ones are removed from every segment. Concurrent changes run one after the other.
     *
     * @param change a pure function of the current definition, which lists every component that a token names
     * @return the current definition
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    ProcessorDefinition define(
            String consumer, UnaryOperator<ProcessorDefinition> change, @Nullable Settlement settlement);

    /** As {@link #define(String, UnaryOperator, Settlement)}, without a settlement. */
    default ProcessorDefinition define(String consumer, UnaryOperator<ProcessorDefinition> change) {
        return define(consumer, change, null);
    }

    /**
     * Stores the policy and components of a segment. The rest of the setup does not change.
     *
     * @return whether they were stored; false if the claim is stale or the token is not at {@code fromVersion}
     */
    boolean setUp(
            TokenClaim claim, long fromVersion, String policy, Map<String, Map<String, StreamPosition>> components);

    /**
     * Splits a segment in two. The new segment has the same positions, marks and setup, and is unclaimed.
     *
     * @return the new segment; empty if the claim is stale or the token is not at {@code fromVersion}
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    Optional<Segment> split(TokenClaim claim, long fromVersion, @Nullable Settlement settlement);

    /** As {@link #split(TokenClaim, long, Settlement)}, without a settlement. */
    default Optional<Segment> split(TokenClaim claim, long fromVersion) {
        return split(claim, fromVersion, null);
    }

    /**
     * Merges two segments into one that keeps the lower number and its claim. The other segment is removed.
     *
     * @return whether they were merged; false, without any change, if a claim is stale, a token is not at the given
     *     version, or the tokens are not {@linkplain Token#isMergeableWith mergeable}
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    boolean merge(
            TokenClaim one, long oneVersion, TokenClaim other, long otherVersion, @Nullable Settlement settlement);

    /** As {@link #merge(TokenClaim, long, TokenClaim, long, Settlement)}, without a settlement. */
    default boolean merge(TokenClaim one, long oneVersion, TokenClaim other, long otherVersion) {
        return merge(one, oneVersion, other, otherVersion, null);
    }

    /**
     * Pauses or resumes all segments of a consumer. Versions and claims do not change, so running work can still
     * commit.
     *
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    void setPaused(String consumer, boolean paused, @Nullable Settlement settlement);

    /** As {@link #setPaused(String, boolean, Settlement)}, without a settlement. */
    default void setPaused(String consumer, boolean paused) {
        setPaused(consumer, paused, null);
    }

    /**
     * Starts a new generation: moves all segments of a consumer to the given positions, removes their marks and
     * releases them. Letters whose events are above the new positions are removed, because these events will be handled
     * again. Other letters stay. If one that has never failed becomes the first of its sequence, the sequence is due
     * now.
     *
     * @param start the new position for every stream of the tokens
     * @param settlement the removed letters are added to the items of its action, as CLEARED
     * @return whether the reset took place; false, without any change, if the consumer is not in {@code fromGeneration}
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    boolean reset(
            String consumer, int fromGeneration, Map<String, StreamPosition> start, @Nullable Settlement settlement);

    /** As {@link #reset(String, int, Map, Settlement)}, without a settlement. */
    default boolean reset(String consumer, int fromGeneration, Map<String, StreamPosition> start) {
        return reset(consumer, fromGeneration, start, null);
    }

    /**
     * Accepts that the source of a stream was restored: moves every segment that is at a lost position back to where it
     * continues, and removes the marks above it. Raises the versions of these tokens. Claims and letters stay.
     *
     * @param lost the positions to continue from, by lost position
     * @throws AlreadySettledException if the item is settled; nothing was changed
     */
    void acceptRestore(
            String consumer, String stream, Map<StreamPosition, StreamPosition> lost, @Nullable Settlement settlement);

    /** Accepts the loss of some positions that all continue from the same one, without a settlement. */
    default void acceptRestore(String consumer, String stream, Set<StreamPosition> lost, StreamPosition continuesFrom) {
        acceptRestore(
                consumer,
                stream,
                lost.stream().collect(Collectors.toMap(position -> position, position -> continuesFrom)),
                null);
    }

    /**
     * Changes the sequencing policy of a consumer.
     *
     * @return whether the policy was changed; false, without any change, unless all segments are at the same positions
     *     without marks, no letter of the consumer is parked, and no replica other than {@code replica} owns a segment
     */
    boolean changePolicy(String consumer, String replica, String policy);
}
