package io.holdfast.jpa;

import io.holdfast.deadletter.Cause;
import io.holdfast.jdbc.LetterJson;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.Objects;
import org.hibernate.Length;
import org.jspecify.annotations.Nullable;

/** The columns of the cause in a row of {@code holdfast_letter}; all of them null for a letter that was not tried. */
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

    static @Nullable Cause cause(@Nullable LetterCause kept) {
        return kept == null || kept.type == null
                ? null
                : new Cause(
                        kept.type,
                        kept.message,
                        Objects.requireNonNullElse(kept.stackTrace, ""),
                        LetterJson.chain(kept.chain));
    }
}
