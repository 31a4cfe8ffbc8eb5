package io.holdfast.processing.segment;

import io.holdfast.deadletter.SequenceId;
import java.util.UUID;

/**
 * A letter that an operator discards, at the replica that has claimed its segment. Exactly one of the callbacks is called.
 *
 * @param onCompleted the letter is removed or was found not to be parked, or the segment is abandoned
 * @param onUnknown the segment does not know the sequence: this version lacks its component, or code has just parked it
 */
public record LetterDiscard(SequenceId sequence, UUID event, Runnable onCompleted, Runnable onUnknown) {}
