package io.holdfast.deadletter;

import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the payload of a parked letter. The event keeps its id, key and type, and the letter its place. Its failed
 * replays no longer count.
 *
 * @param action the id of the action
 * @param component the stable id of the component
 * @param event the id of the parked event
 * @param json the new payload, which was validated
 * @param expectedVersion as {@link DeadLetter#version}; null to edit any version
 * @param isReplayed whether the action also replays the letter
 */
public record LetterEdit(
        String action,
        String component,
        UUID event,
        String json,
        @Nullable String expectedVersion,
        boolean isReplayed) {

    /** Computes the change. */
    public RepairResult apply(LetterReads parked, Instant now) {
        Optional<DeadLetter> found = parked.findLetter(component, event);
        if (found.isEmpty()) {
            return RepairResult.refused(LetterOutcome.NOT_PARKED);
        }
        DeadLetter letter = found.get();
        return expectedVersion == null || expectedVersion.equals(letter.version())
                ? RepairResult.of(writes(letter, now))
                : RepairResult.refused(LetterOutcome.STALE);
    }

    private LetterWrites writes(DeadLetter letter, Instant now) {
        DeadLetter edited = letter.edited(json, now);
        String detail = isReplayed ? LetterOutcome.REPLAYED_NEXT : null;
        String before = letter.message().payload().json();
        return new LetterWrites(List.of(), List.of(edited), List.of(), List.of(), List.of())
                .withOutcomes(List.of(LetterOutcome.of(edited, Outcome.EDITED, detail, null)))
                .withOriginals(List.of(new LetterOriginal(component, event, action, before)));
    }
}
