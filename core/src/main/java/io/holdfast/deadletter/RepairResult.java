package io.holdfast.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * What a change of a letter by an operator leads to.
 *
 * @param writes the change with its outcome; none if it is refused
 * @param refusal why it is refused, as {@link LetterOutcome#detail}; null if it is not
 */
public record RepairResult(LetterWrites writes, @Nullable String refusal) {

    /** The letter is not there any more. */
    public static final RepairResult NOTHING = new RepairResult(LetterWrites.NONE, null);

    public static RepairResult of(LetterWrites writes) {
        return new RepairResult(writes, null);
    }

    public static RepairResult refused(String detail) {
        return new RepairResult(LetterWrites.NONE, detail);
    }

    public boolean isRefused() {
        return refusal != null;
    }
}
