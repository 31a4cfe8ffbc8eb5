package io.holdfast.jpa;

import io.holdfast.deadletter.Cause;
import io.holdfast.jdbc.LetterTexts;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.Objects;
import org.hibernate.Length;
import org.jspecify.annotations.Nullable;

/** The columns of the cause in a row of {@code holdfast_letter}; all of them null for a letter that was not tried. */
@Embeddable
record KeptCause(
        @Column(name = "cause_type", length = Length.LONG32) @Nullable String type,
        @Column(name = "cause_message", length = Length.LONG32) @Nullable String message,
        @Column(name = "cause_stack_trace", length = Length.LONG32) @Nullable String stackTrace,
        @Column(name = "cause_chain", length = Length.LONG32) @Nullable String chain) {

    static @Nullable KeptCause of(@Nullable Cause cause) {
        return cause == null
                ? null
                : new KeptCause(cause.type(), cause.message(), cause.stackTrace(), LetterTexts.chain(cause.chain()));
    }

    static @Nullable Cause cause(@Nullable KeptCause kept) {
        return kept == null || kept.type == null
                ? null
                : new Cause(
                        kept.type,
                        kept.message,
                        Objects.requireNonNullElse(kept.stackTrace, ""),
                        LetterTexts.chain(kept.chain));
    }
}
