package io.holdfast.token;

/**
 * Ownership of a segment, until it is released or superseded by a newer claim.
 *
 * @param owner the owner's name
 * @param fence the fencing token; every claim increases it, and a commit with a stale one is rejected
 */
public record TokenClaim(Segment segment, String owner, long fence) {}
