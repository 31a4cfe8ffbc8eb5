package io.holdfast.processing.segment;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.parking.ParkedSequences;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The letters of a segment that operators discard. Each is removed in a unit of the segment, which does not reject units
 * that run, as a change by another replica would. While it is being removed, its sequence is not replayed. Not
 * thread-safe; used by one thread at a time.
 */
final class SegmentDiscards {

    private final DeadLetterStore letters;
    private final ParkedSequences parked;
    private final SegmentReplays replays;
    private final Runnable requireUnchanged;
    private final List<LetterDiscard> requested = new ArrayList<>();
    private final Set<LetterDiscard> claimed = new HashSet<>();

    /**
     * @param replays the requested replays, which continue once a letter of their sequence is removed
     * @param requireUnchanged throws if the stored token has changed since the segment was opened
     */
    SegmentDiscards(
            DeadLetterStore letters, ParkedSequences parked, SegmentReplays replays, Runnable requireUnchanged) {
        this.letters = letters;
        this.parked = parked;
        this.replays = replays;
        this.requireUnchanged = requireUnchanged;
    }

    void request(LetterDiscard discard) {
        requested.add(discard);
    }

    boolean isEmpty() {
        return requested.isEmpty();
    }

    /** Adds the letters whose sequences are not being replayed, as far as they fit. */
    void addTo(UnitBuilder unit, int limit) {
        for (LetterDiscard discard : List.copyOf(requested)) {
            if (unit.size() < limit && claim(discard)) {
                add(discard, unit);
            }
        }
    }

    private boolean claim(LetterDiscard discard) {
        if (claimed.contains(discard)) {
            return true;
        }
        if (parked.claim(discard.sequence()).isPresent()) {
            claimed.add(discard);
            return true;
        }
        if (parked.find(discard.sequence()) == null) {
            requested.remove(discard);
            discard.onUnknown().run();
        }
        return false;
    }

    private void add(LetterDiscard discard, UnitBuilder unit) {
        DeadLetter letter = letters.findLetter(discard.sequence().component(), discard.event())
                .orElse(null);
        if (letter == null) {
            requireUnchanged.run();
            complete(discard);
            return;
        }
        DeadLetter next = letters.findLetters(discard.sequence(), letter.number() + 1, 1).stream()
                .findFirst()
                .orElse(null);
        requireUnchanged.run();
        unit.discard(discard, letter, next);
    }

    /** Ends discards. Call it after the cached sequences were updated. */
    void committed(List<LetterDiscard> discards) {
        discards.forEach(this::complete);
    }

    /** Ends all discards without a result, because the segment is abandoned. */
    void abandon() {
        List.copyOf(requested).forEach(this::complete);
    }

    private void complete(LetterDiscard discard) {
        requested.remove(discard);
        if (claimed.remove(discard)) {
            parked.finishReplay(discard.sequence(), null, false);
            replays.reschedule(discard.sequence());
        }
        discard.onCompleted().run();
    }
}
