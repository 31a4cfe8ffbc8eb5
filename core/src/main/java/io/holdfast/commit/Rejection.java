package io.holdfast.commit;

import io.holdfast.PermanentException;

/**
 * Why a store does not write a unit.
 *
 * @param unit its index in what was written
 */
public record Rejection(int unit, Kind kind, PermanentException cause) {

    /** What can be done about it. */
    public enum Kind {
        /** A key or row is not at the version that the unit follows: decide it again. */
        CONFLICT,
        /** One of its event ids exists: an earlier run was committed, look it up. */
        DUPLICATE,
        /** It can never be written as it is. */
        REJECTED
    }
}
