package io.holdfast.commit;

import io.holdfast.PermanentException;
import io.holdfast.token.TokenAdvance;

/**
 * A unit names a token version or a claim that is not the newest: another worker has the segment, or this unit was
 * committed before. Nothing was done; load the token and go on from there.
 */
public final class StaleTokenException extends PermanentException {

    public StaleTokenException(TokenAdvance advance, String found) {
        super("segment " + advance.claim().segment() + " cannot advance from version " + advance.fromVersion()
                + " under fence " + advance.claim().fence() + " of "
                + advance.claim().owner() + ": " + found
                + ". Nothing was done; load the token again");
    }
}
