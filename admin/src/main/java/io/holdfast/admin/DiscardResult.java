package io.holdfast.admin;

/** What came of discarding a letter. */
public enum DiscardResult {
    /** It is gone for good. */
    DISCARDED,
    /** Its sequence is being replayed at this moment. Nothing was done. */
    BEING_REPLAYED,
    /** No such letter is parked. Nothing was done. */
    NOT_FOUND
}
