package io.holdfast.processing.segment;

import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.RepairResult;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.token.Token;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What an operator changes about one letter, at the replica that has claimed its segment. Exactly one of the callbacks is
 * called.
 *
 * @param startsSequence whether the letter may belong to a sequence that is not parked, as one that is restored
 * @param onCompleted gets the result once it is committed, or a refusal, which is not; {@link RepairResult#NOTHING} if
 *     the letter is not parked, or if the segment is abandoned
 * @param onUnknown the segment does not know the sequence: this version lacks its component, or code has just parked it
 */
public record LetterRepair(
        SequenceId sequence,
        UUID event,
        boolean startsSequence,
        Change change,
        Consumer<RepairResult> onCompleted,
        Runnable onUnknown) {

    /** Computes a change from the parked letters and the segment's token. */
    public interface Change {
        RepairResult apply(LetterReads parked, Token token);
    }
}
