package io.holdfast.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a transaction changes a cause group.
 *
 * @param component the stable id of the component
 * @param id the group, as {@link CauseGroup#id}
 * @param pending by how many the letters in PENDING sequences increase
 * @param parked by how many all its letters increase
 * @param newest the newest cause, if a letter has failed
 * @param seenFrom the time of the first of these failures; null if no letter has failed
 * @param seenUntil the time of the last of these failures; null if no letter has failed
 */
public record CauseGroupChange(
        String component,
        String id,
        long pending,
        long parked,
        @Nullable Cause newest,
        @Nullable Instant seenFrom,
        @Nullable Instant seenUntil) {

    static CauseGroupChange none(String component, String id) {
        return new CauseGroupChange(component, id, 0, 0, null, null, null);
    }

    CauseGroupChange plus(ParkedSequence sequence, int sign) {
        long letters = (long) sign * sequence.size();
        boolean isPending = sequence.state() == SequenceState.PENDING;
        return new CauseGroupChange(
                component, id, pending + (isPending ? letters : 0), parked + letters, newest, seenFrom, seenUntil);
    }

    CauseGroupChange seen(Cause cause, Instant at) {
        boolean isFirst = seenFrom == null || at.isBefore(seenFrom);
        boolean isNewest = seenUntil == null || !at.isBefore(seenUntil);
        return new CauseGroupChange(
                component,
                id,
                pending,
                parked,
                isNewest ? cause : newest,
                isFirst ? at : seenFrom,
                isNewest ? at : seenUntil);
    }

    boolean isEmpty() {
        return pending == 0 && parked == 0 && newest == null;
    }
}
