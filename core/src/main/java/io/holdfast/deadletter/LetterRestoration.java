package io.holdfast.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parks a discarded letter again, as the first one of its sequence, which becomes PENDING.
 *
 * @param resolved the letter as it was discarded
 * @param hash the hash of its sequence
 * @param isForced whether it is restored although later events of its sequence may have been handled
 * @param limits the limits of the queue, which must have room
 */
public record LetterRestoration(ResolvedLetter resolved, int hash, boolean isForced, QueueLimits limits) {

    /**
     * Computes the change.
     *
     * @param counts the counts of the queue
     * @param isLatest whether no later event of the sequence has been handled, as far as that is known without the parked
     *     letters
     */
    public RepairResult apply(LetterReads parked, QueueCounts counts, boolean isLatest, Instant now) {
        if (parked.findLetter(resolved.component(), resolved.event()).isPresent()) {
            return RepairResult.refused(LetterOutcome.NOT_DISCARDED);
        }
        Optional<ParkedSequence> sequence = parked.find(resolved.letter().sequence());
        boolean isOrdered = isLatest || isBeforeFirst(parked, sequence);
        if (!isOrdered && !isForced) {
            return RepairResult.refused(LetterOutcome.ORDER_UNKNOWN);
        }
        return hasRoom(sequence, counts)
                ? RepairResult.of(writes(sequence, isOrdered ? null : LetterOutcome.ORDER_BROKEN, now))
                        .withNewEntries(newEntries(sequence))
                : RepairResult.refused(LetterOutcome.QUEUE_FULL);
    }

    /** Nothing behind the letter was handled if the letter that was behind it is still the first one. */
    private boolean isBeforeFirst(LetterReads parked, Optional<ParkedSequence> sequence) {
        return resolved.next() != null
                && sequence.flatMap(found -> parked.findLetters(found.id(), found.first(), 1).stream()
                                .findFirst())
                        .filter(first -> first.message().id().equals(resolved.next()))
                        .isPresent();
    }

    private boolean hasRoom(Optional<ParkedSequence> sequence, QueueCounts counts) {
        boolean isPending =
                sequence.filter(it -> it.state() == SequenceState.PENDING).isPresent();
        int size = sequence.map(ParkedSequence::size).orElse(0);
        return size < limits.maxSequenceSize() && (isPending || counts.limitedPending() < limits.maxSequences());
    }

    /** A sequence that becomes PENDING for the first time makes all its letters entries. */
    private static int newEntries(Optional<ParkedSequence> sequence) {
        return 1
                + sequence.filter(before -> !before.escalated())
                        .map(ParkedSequence::size)
                        .orElse(0);
    }

    private LetterWrites writes(Optional<ParkedSequence> sequence, @Nullable String detail, Instant now) {
        DeadLetter letter = resolved.letter()
                .restored(
                        sequence.map(this::numberBefore)
                                .orElse(resolved.letter().number()),
                        now);
        DeadLetter first = letter.cause() == null ? letter.withCause(notAttempted(), now) : letter;
        ParkedSequence restored = sequence.map(it -> it.with(first.number(), it.last(), it.size() + 1, since()))
                .orElseGet(() -> ParkedSequence.start(first.sequence(), resolved.consumer(), hash, now)
                        .with(first.number(), first.number(), 1, since()))
                .pending(first.attempts().size(), now)
                .withCauseOf(first);
        return new LetterWrites(List.of(first), List.of(), List.of(), List.of(restored), List.of())
                .withOutcomes(List.of(LetterOutcome.of(first, Outcome.RESTORED, detail, null)));
    }

    /** The sequence may have started again since, with numbers from the beginning. */
    private long numberBefore(ParkedSequence sequence) {
        return Math.min(resolved.letter().number(), sequence.first() - 1);
    }

    private Instant since() {
        return resolved.letter().enqueuedAt();
    }

    private static Cause notAttempted() {
        return Cause.of(new PermanentException(
                "an operator has discarded and restored this letter before it was attempted; replay it"));
    }
}
