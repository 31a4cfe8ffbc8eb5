package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tokens of all consumers of a service, and who may advance them. Advancing itself is part of a commit unit
 * ({@link TokenAdvance}), so that position and effects become durable together.
 *
 * <p><b>Duty.</b> A token is as the last committed advance or change left it. At any moment at most one claim of a segment
 * can commit, and one under an older version of the token cannot. Leases are measured by the store's clock, not by a
 * worker's. The shares of a consumer's segments cover every hash exactly once, at any moment.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes.
 *
 * <p><b>Transaction.</b> None is joined: each call is all or nothing, and durable when it returns.
 *
 * <p><b>Not promised.</b> That a claim is still held when a call returns true: only a commit can tell.
 */
public interface TokenStore {

    /**
     * Creates a segment's token unless it exists. A position that was once stored is never resolved again: a later call
     * with other positions adds streams that the token lacks and changes nothing else, not even the version.
     *
     * @return the token as it is now
     */
    Token initialize(Segment segment, Map<String, StreamPosition> start);

    /**
     * Creates the segments of a consumer ({@link Segments#of}) unless it has any, and adds to every segment that it has
     * the streams that the segment lacks. Nothing else is changed, not even a version.
     *
     * @return the tokens as they are now, by number
     */
    List<Token> initialize(String consumer, int segments, Map<String, StreamPosition> start);

    Optional<Token> find(Segment segment);

    /** All segments of a consumer, by number. The owner is null where nobody holds it, or the lease has expired. */
    List<ClaimedToken> findAll(String consumer);

    /**
     * Takes a segment that exists and that nobody holds, or whose lease has expired. The same owner's own claim is
     * taken anew, with a new fence.
     *
     * @return empty if another holds it or there is no such segment; a lost race is no error
     */
    Optional<TokenClaim> claim(Segment segment, String owner, Duration lease);

    /**
     * Makes leases last for {@code lease} from now.
     *
     * @return those that were renewed. One that is not the newest, or was released, or whose segment is gone, is left out;
     *     an expired one that nobody took goes on
     */
    Set<TokenClaim> renew(Collection<TokenClaim> claims, Duration lease);

    /** Gives a claim back: from then on it cannot commit. Nothing happens if it is not the newest. */
    void release(TokenClaim claim);

    /**
     * Says that a replica is there to work for a consumer, for {@code lease} from now.
     *
     * @return all that are there, itself included
     */
    Set<String> renewReplica(String consumer, String replica, Duration lease);

    /** Says that a replica is there no longer. */
    void releaseReplica(String consumer, String replica);

    /**
     * Stores the policy and the components of a segment. Nothing else of the setup changes.
     *
     * @return false if the claim is not the newest, or the token is not at that version
     */
    boolean setUp(
            TokenClaim claim, long fromVersion, String policy, Map<String, Map<String, StreamPosition>> components);

    /**
     * Splits a segment's share in two. The new one has the same positions, marks and setup, and nobody holds it.
     *
     * @return the new one; empty if the claim is not the newest, or the token is not at that version
     */
    Optional<Segment> split(TokenClaim claim, long fromVersion);

    /**
     * Joins two segments into one that keeps the lower number, under its claim. The other is gone.
     *
     * @return false, and nothing is changed, unless both claims are the newest, the tokens are at those versions and
     *     {@link Segments#sibling siblings} of one mask, have no marks, and are the same in all but their shares and where their components began
     */
    boolean merge(TokenClaim one, long oneVersion, TokenClaim other, long otherVersion);

    /**
     * Says of all segments of a consumer whether somebody is to work on them. Versions and claims stay, so that what runs
     * can be committed.
     */
    void setPaused(String consumer, boolean paused);

    /**
     * Begins a new generation: all segments of a consumer go to these positions, without marks, and are released. Letters
     * of the consumer whose events lie above the new positions leave, as they will be handled again; the others stay, and
     * where one of these becomes the head of its sequence without having failed, the sequence is due now.
     *
     * @param start for every stream of the tokens
     * @return false, and nothing is changed, if the consumer is not in that generation
     */
    boolean reset(String consumer, int fromGeneration, Map<String, StreamPosition> start);

    /**
     * Lets all segments of a consumer that have read further in a stream, in an older epoch than that of this position,
     * stand at this position, without the marks above it: the source was restored. Their versions rise; claims and letters
     * stay.
     */
    void acceptRestore(String consumer, String stream, StreamPosition goesOnFrom);

    /**
     * Shares the events of a consumer out by another policy.
     *
     * @return false, and nothing is changed, unless all segments stand at one position, without marks, no letter of the
     *     consumer is parked, and no segment is held by another than {@code replica}
     */
    boolean changePolicy(String consumer, String replica, String policy);
}
