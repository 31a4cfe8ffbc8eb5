package io.holdfast.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * What a change of a letter by an operator leads to.
 *
 * @param writes the change with its outcome; none if it is refused
 * @param newEntries the number of letters that become entries, as {@link DeadLetterChange#newEntries}
 * @param refusal why it is refused, as {@link LetterOutcome#detail}; null if it is not
 */
public record RepairResult(LetterWrites writes, int newEntries, @Nullable String refusal) {

    /** The letter is not there any more. */
    public static final RepairResult NOTHING = new RepairResult(LetterWrites.NONE, 0, null);

    public static RepairResult of(LetterWrites writes) {
        return new RepairResult(writes, 0, null);
    }

    public RepairResult withNewEntries(int count) {
        return new RepairResult(writes, count, refusal);
    }

    public static RepairResult refused(String detail) {
        return new RepairResult(LetterWrites.NONE, 0, detail);
    }

    public boolean isRefused() {
        return refusal != null;
    }
}
