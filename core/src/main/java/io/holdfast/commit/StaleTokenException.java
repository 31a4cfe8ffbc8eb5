package io.holdfast.commit;

import io.holdfast.PermanentException;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenAdvance;

/**
 * The unit carries a stale fencing token or token version: another replica has claimed the segment, or the unit was
 * committed before. Nothing was committed; load the token and continue from there. Also thrown before a unit is built, if
 * the segment has changed since its owner loaded it.
 */
public final class StaleTokenException extends PermanentException {

    public StaleTokenException(TokenAdvance advance, String found) {
        super("segment " + advance.claim().segment() + " cannot advance from version " + advance.fromVersion()
                + " with fencing token " + advance.claim().fence() + " of "
                + advance.claim().owner() + ": " + found
                + ". Nothing was committed; load the token again");
    }

    public StaleTokenException(Segment segment, long loaded, String found) {
        super("segment " + segment + " was loaded at version " + loaded + ", but " + found
                + ". What was read since may not belong to that version; load the token again");
    }
}
