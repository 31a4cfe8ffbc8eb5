package io.holdfast.jpa;

import io.holdfast.deadletter.Cause;
import io.holdfast.jdbc.LetterJson;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.Objects;
import org.hibernate.Length;
import org.jspecify.annotations.Nullable;

/** The columns of the cause in {@code holdfast_letter}; all are null for a letter that was never attempted. */
@Embeddable
record LetterCause(
        @Column(name = "cause_type", length = Length.LONG32) @Nullable String type,
        @Column(name = "cause_message", length = Length.LONG32) @Nullable String message,
        @Column(name = "cause_stack_trace", length = Length.LONG32) @Nullable String stackTrace,
        @Column(name = "cause_chain", length = Length.LONG32) @Nullable String chain) {

    static @Nullable LetterCause of(@Nullable Cause cause) {
        return cause == null
                ? null
                : new LetterCause(cause.type(), cause.message(), cause.stackTrace(), LetterJson.chain(cause.chain()));
    }

    static @Nullable Cause cause(@Nullable LetterCause stored) {
        return stored == null || stored.type == null
                ? null
                : new Cause(
                        stored.type,
                        stored.message,
                        Objects.requireNonNullElse(stored.stackTrace, ""),
                        LetterJson.chain(stored.chain));
    }
}
