package io.holdfast.token;

/**
 * The right to work on a segment until somebody else gets it.
 *
 * @param owner who holds it
 * @param fence raised by every claim, so that a commit under an older one is refused
 */
public record TokenClaim(Segment segment, String owner, long fence) {}
