package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a saga, and what became of it. Immutable.
 *
 * @param at when the saga must have ended
 * @param recheckAt when to judge it again after a judgement without effect, or while timeouts are disabled; or null
 * @param judgements how often it was judged without effect
 * @param suspended the current suspension, or null
 */
public record SagaDeadline(
        Instant at, @Nullable Instant recheckAt, int judgements, @Nullable SagaSuspension suspended) {

    @JsonCreator
    static SagaDeadline read(
            @JsonProperty("at") Instant at,
            @JsonProperty("recheckAt") @Nullable Instant recheckAt,
            @JsonProperty("judgements") @Nullable Integer judgements,
            @JsonProperty("suspended") @Nullable SagaSuspension suspended) {
        return new SagaDeadline(at, recheckAt, Objects.requireNonNullElse(judgements, 0), suspended);
    }

    static SagaDeadline at(Instant at) {
        return new SagaDeadline(at, null, 0, null);
    }

    /** Returns when to look at the deadline next. */
    Instant nextDue() {
        if (suspended != null) {
            return suspended.recheckAt();
        }
        return recheckAt == null ? at : recheckAt;
    }

    SagaDeadline suspended(Collection<String> letters, Instant now) {
        SagaSuspension next = suspended == null ? SagaSuspension.start(letters, now) : suspended.answered(letters, now);
        return new SagaDeadline(at, null, judgements, next);
    }

    SagaDeadline unanswered(Instant now) {
        return suspended == null ? this : new SagaDeadline(at, null, judgements, suspended.unanswered(now));
    }

    SagaDeadline judgedWithoutEffect(Instant recheck) {
        return new SagaDeadline(at, recheck, judgements + 1, null);
    }

    SagaDeadline postponed(Instant recheck) {
        return new SagaDeadline(at, recheck, judgements, null);
    }

    SagaDeadline settled() {
        return new SagaDeadline(at, null, judgements, null);
    }
}
