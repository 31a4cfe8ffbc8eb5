package io.holdfast.commit;

import io.holdfast.PermanentException;

/**
 * Why a store does not write a unit.
 *
 * @param unit the unit's index in the batch
 */
public record Rejection(int unit, Kind kind, PermanentException cause) {

    /** Determines what the committer does next. */
    public enum Kind {
        /** A key or row is not at the version that the unit follows: decide again. */
        CONFLICT,
        /** One of its event ids exists: an earlier run was committed, look it up. */
        DUPLICATE,
        /** The unit can never be written unchanged. */
        REJECTED
    }
}
