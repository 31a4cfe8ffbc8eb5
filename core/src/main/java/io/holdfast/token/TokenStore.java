package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tokens of all consumers of a service, and who may advance them. Advancing itself is part of a commit unit
 * ({@link TokenAdvance}), so that position and effects become durable together.
 *
 * <p><b>Duty.</b> A token is as the last committed advance left it. At any moment at most one claim of a segment can
 * commit. Leases are measured by the store's clock, not by a worker's.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes.
 *
 * <p><b>Transaction.</b> None is joined: each call is durable when it returns.
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

    Optional<Token> find(Segment segment);

    /** The tokens of all segments of a consumer, by number. */
    List<Token> findAll(String consumer);

    /**
     * Takes a segment that exists and that nobody holds, or whose lease has expired. The same owner's own claim is
     * taken anew, with a new fence.
     *
     * @return empty if another holds it or there is no such segment; a lost race is no error
     */
    Optional<TokenClaim> claim(Segment segment, String owner, Duration lease);

    /**
     * Makes a lease last for {@code lease} from now.
     *
     * @return false if the claim is not the newest, or was released; an expired one that nobody took goes on
     */
    boolean renew(TokenClaim claim, Duration lease);

    /** Gives a claim back: from then on it cannot commit. Nothing happens if it is not the newest. */
    void release(TokenClaim claim);
}
