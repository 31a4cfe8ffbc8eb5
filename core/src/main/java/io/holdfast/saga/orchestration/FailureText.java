package io.holdfast.saga.orchestration;

import java.util.Objects;

/** Describes why a step failed, for operators. */
final class FailureText {

    private static final int MAX_LENGTH = 500;

    private FailureText() {}

    /** Returns the message of a failure, abbreviated; its type if it has none. */
    static String of(Throwable failure) {
        Throwable cause = failure instanceof StepFailure step ? step.failure() : failure;
        String text = Objects.requireNonNullElseGet(
                cause.getMessage(), () -> cause.getClass().getSimpleName());
        return text.codePointCount(0, text.length()) <= MAX_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH)) + "…";
    }
}
