package io.holdfast.admin.deadletter;

/** The result of discarding a letter. */
public enum DiscardResult {
    /** The letter was removed permanently. */
    DISCARDED,
    /** The sequence is being replayed. Nothing was changed. */
    BEING_REPLAYED,
    /** No such letter is parked. Nothing was changed. */
    NOT_FOUND
}
